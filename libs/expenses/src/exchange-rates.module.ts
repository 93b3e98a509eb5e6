import { Module } from '@nestjs/common';
import { PostgresExchangeRates } from './adapters/postgres/postgres-exchange-rates';
import { PostgresExpenseRevaluation } from './adapters/postgres/postgres-expense-revaluation';
import { ImportPublishedRates } from './application/import-published-rates';
import { ExchangeRates } from './application/ports/exchange-rates';
import { ExpenseRevaluation } from './application/ports/expense-revaluation';
import { RevalueExpenses } from './application/revalue-expenses';
import { SaveExchangeRates } from './application/save-exchange-rates';

const USE_CASES = [ImportPublishedRates, RevalueExpenses, SaveExchangeRates];

/**
 * Exchange rates and the conversion of expenses. A module of its own for the admin command, which needs
 * nothing else of expenses.
 */
@Module({
  providers: [
    ...USE_CASES,
    { provide: ExchangeRates, useClass: PostgresExchangeRates },
    { provide: ExpenseRevaluation, useClass: PostgresExpenseRevaluation },
  ],
  exports: [...USE_CASES, ExchangeRates],
})
export class ExchangeRatesModule {}
