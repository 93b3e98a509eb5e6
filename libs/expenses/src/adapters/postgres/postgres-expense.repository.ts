import { isForeignKeyViolation, managerOf, within } from '@counterfoil/database';
import { type Transaction, unknownReference } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { ExpenseRepository, type NewExpense } from '../../application/ports/expense.repository';
import type { Expense } from '../../domain/expense';
import { ExpenseSchema } from './expense.schema';
import { FIND_DUPLICATES, INSERT, LOCK } from './expense.sql';

@Injectable()
export class PostgresExpenseRepository extends ExpenseRepository {
  override insert(tx: Transaction, expense: NewExpense): Promise<Expense> {
    return within(tx).only(INSERT, expense).catch(throwIfFileIsGone);
  }

  override lock(tx: Transaction, companyId: number, id: number): Promise<Expense | null> {
    return within(tx).first(LOCK, { companyId, id });
  }

  override async save(tx: Transaction, { id, companyId, ...expense }: Expense): Promise<void> {
    await managerOf(tx).update(ExpenseSchema, { id, companyId }, expense).catch(throwIfFileIsGone);
  }

  override async remove(tx: Transaction, companyId: number, id: number): Promise<void> {
    await managerOf(tx).delete(ExpenseSchema, { id, companyId });
  }

  override async duplicatesOf(
    tx: Transaction,
    { companyId, id }: Pick<Expense, 'companyId' | 'id'>,
    limit: number,
  ): Promise<readonly number[]> {
    const found = await within(tx).rows(FIND_DUPLICATES, { companyId, id, limit });
    return found.map((duplicate) => duplicate.id);
  }
}

/** Converts a foreign key violation: the file was deleted after the references were checked. */
function throwIfFileIsGone(error: unknown): never {
  throw isForeignKeyViolation(error, 'expenses_file_id_fkey') ? unknownReference('fileId', 'file') : error;
}
