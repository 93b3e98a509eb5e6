import type { Transaction } from '@counterfoil/kernel';
import type { Expense } from '../../domain/expense';

export type NewExpense = Omit<Expense, 'id'>;

/** Writes expenses. */
export abstract class ExpenseRepository {
  /** @throws AppError `UNKNOWN_REFERENCE` if the file was deleted meanwhile */
  abstract insert(tx: Transaction, expense: NewExpense): Promise<Expense>;

  /**
   * Reads an expense and locks it until the end of the transaction. Null if this company has no such expense.
   */
  abstract lock(tx: Transaction, companyId: number, id: number): Promise<Expense | null>;

  /**
   * Writes all fields of a locked expense.
   *
   * @throws AppError `UNKNOWN_REFERENCE` if the file was deleted meanwhile
   */
  abstract save(tx: Transaction, expense: Expense): Promise<void>;

  /** Deletes a locked expense. */
  abstract remove(tx: Transaction, companyId: number, id: number): Promise<void>;

  /**
   * Finds likely duplicates of an expense: the same vendor and document number, ignoring case and surrounding
   * blanks and directional marks, or a file with the same bytes. Call this after writing the expense.
   * Concurrent writers wait for each other, so the later one sees the earlier.
   *
   * @returns ids, oldest first, at most `limit`
   */
  abstract duplicatesOf(
    tx: Transaction,
    expense: Pick<Expense, 'companyId' | 'id'>,
    limit: number,
  ): Promise<readonly number[]>;
}
