import { ExchangeRates1795438800000 } from './1795438800000-exchange-rates';
import { Expenses1795442400000 } from './1795442400000-expenses';
import { ReceiptReadings1795446000000 } from './1795446000000-receipt-readings';
import { ReadingWaiters1795464000000 } from './1795464000000-reading-waiters';
import { ReadingKinds1795489200000 } from './1795489200000-reading-kinds';
import { ExpenseCounts1795507200000 } from './1795507200000-expense-counts';
import { ReadingWaits1795536000000 } from './1795536000000-reading-waits';
import { ReadingTraces1795700200000 } from './1795700200000-reading-traces';

export const EXPENSES_MIGRATIONS = [
  ExchangeRates1795438800000,
  Expenses1795442400000,
  ReceiptReadings1795446000000,
  ReadingWaiters1795464000000,
  ReadingKinds1795489200000,
  ExpenseCounts1795507200000,
  ReadingWaits1795536000000,
  ReadingTraces1795700200000,
];
