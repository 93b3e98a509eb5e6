import { Foundation1795219200000 } from './1795219200000-foundation';
import { DocumentLifeCycle1795262400000 } from './1795262400000-document-life-cycle';
import { WebhookLanes1795305600000 } from './1795305600000-webhook-lanes';
import { PartiesAndCatalog1795348800000 } from './1795348800000-parties-and-catalog';
import { Inventory1795392000000 } from './1795392000000-inventory';
import { Files1795435200000 } from './1795435200000-files';
import { ExchangeRates1795438800000 } from './1795438800000-exchange-rates';
import { Expenses1795442400000 } from './1795442400000-expenses';
import { ReceiptReadings1795446000000 } from './1795446000000-receipt-readings';
import { Retainers1795449600000 } from './1795449600000-retainers';
import { Payments1795453200000 } from './1795453200000-payments';
import { Definitions1795456800000 } from './1795456800000-definitions';

/** Every migration, oldest first. One that has landed is never edited. */
export const MIGRATIONS = [
  Foundation1795219200000,
  DocumentLifeCycle1795262400000,
  WebhookLanes1795305600000,
  PartiesAndCatalog1795348800000,
  Inventory1795392000000,
  Files1795435200000,
  ExchangeRates1795438800000,
  Expenses1795442400000,
  ReceiptReadings1795446000000,
  Retainers1795449600000,
  Payments1795453200000,
  Definitions1795456800000,
];
