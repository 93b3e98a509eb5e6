import { Foundation1795219200000 } from './1795219200000-foundation';
import { DocumentLifeCycle1795262400000 } from './1795262400000-document-life-cycle';
import { WebhookLanes1795305600000 } from './1795305600000-webhook-lanes';
import { PartiesAndCatalog1795348800000 } from './1795348800000-parties-and-catalog';
import { Inventory1795392000000 } from './1795392000000-inventory';

/** Every migration, oldest first. One that has landed is never edited. */
export const MIGRATIONS = [
  Foundation1795219200000,
  DocumentLifeCycle1795262400000,
  WebhookLanes1795305600000,
  PartiesAndCatalog1795348800000,
  Inventory1795392000000,
];
