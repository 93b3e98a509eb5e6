import { IdempotencyModule } from '@counterfoil/idempotency';
import { FilesModule } from '@counterfoil/files';
import { PartiesModule } from '@counterfoil/parties';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ExpenseSchema } from './adapters/postgres/expense.schema';
import { PostgresExpenseReader } from './adapters/postgres/postgres-expense.reader';
import { PostgresExpenseRepository } from './adapters/postgres/postgres-expense.repository';
import { CurrencyConversion } from './application/currency-conversion';
import { CreateExpense } from './application/create-expense';
import { DeleteExpense } from './application/delete-expense';
import { EditExpense } from './application/edit-expense';
import { ExpenseReferences } from './application/expense-references';
import { ExpenseTransactions } from './application/expense-transactions';
import { ExpenseReader } from './application/ports/expense.reader';
import { ExpenseRepository } from './application/ports/expense.repository';
import { ExchangeRatesModule } from './exchange-rates.module';

const USE_CASES = [CreateExpense, DeleteExpense, EditExpense];

@Module({
  imports: [
    ExchangeRatesModule,
    IdempotencyModule,
    FilesModule,
    PartiesModule,
    TypeOrmModule.forFeature([ExpenseSchema]),
  ],
  providers: [
    ...USE_CASES,
    CurrencyConversion,
    ExpenseReferences,
    ExpenseTransactions,
    { provide: ExpenseReader, useClass: PostgresExpenseReader },
    { provide: ExpenseRepository, useClass: PostgresExpenseRepository },
  ],
  exports: [...USE_CASES, ExpenseReader],
})
export class ExpensesModule {}
