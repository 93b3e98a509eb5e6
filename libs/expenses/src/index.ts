export { EXPENSES_COMPANY_DATA } from './adapters/postgres/company-data.sql';
export { EXPENSES_MIGRATIONS } from './adapters/postgres/migrations';
export { CreateExpense, type RecordedExpense } from './application/create-expense';
export { DeleteExpense } from './application/delete-expense';
export { type ExtractedReceipt, ExtractReceipt } from './application/extract-receipt';
export { EditExpense } from './application/edit-expense';
export { EXPENSE_EVENTS } from './application/events';
export {
  COMBINED_SORTS,
  EXPENSE_FILTERS,
  EXPENSE_SORTS,
  type ExpenseList,
  ExpenseReader,
  type ExpenseRow,
  type ListedSupplierInvoice,
} from './application/ports/expense.reader';
export { ImportPublishedRates } from './application/import-published-rates';
export { ExchangeRates, RATE_FILTERS, type RateRow } from './application/ports/exchange-rates';
export { ReadReceipts } from './application/read-receipts';
export { LoadPublishedRates } from './application/load-published-rates';
export { RevalueExpenses } from './application/revalue-expenses';
export { SaveExchangeRates } from './application/save-exchange-rates';
export { type DayRate, problemOf, RATE_UNITS, rateKey, type RateUnit } from './domain/exchange-rate';
export { type Expense, type ExpenseDetails } from './domain/expense';
export { ratePerUnit } from './domain/rate-per-unit';
export { ExpensesModule } from './expenses.module';
export { ExchangeRatesModule } from './exchange-rates.module';
export { ExtractionModule } from './extraction.module';
export { ReceiptReadingModule } from './receipt-reading.module';
export { PublishedRatesModule } from './published-rates.module';
export { EXPENSE_JOBS } from './application/jobs';
