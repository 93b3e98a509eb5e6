import type { Transaction } from '@counterfoil/kernel';
import type { Expense } from '../../domain/expense';

export type NewExpense = Omit<Expense, 'id'>;

/** Writes expenses. */
export abstract class ExpenseRepository {
  /** @throws AppError `UNKNOWN_REFERENCE` where the file was deleted meanwhile */
  abstract insert(tx: Transaction, expense: NewExpense): Promise<Expense>;

  /** Reads an expense and locks it until the end of the transaction. Null when this company has no such expense. */
  abstract lock(tx: Transaction, companyId: number, id: number): Promise<Expense | null>;

  /**
   * Writes all of a locked expense.
   *
   * @throws AppError `UNKNOWN_REFERENCE` where the file was deleted meanwhile
   */
  abstract save(tx: Transaction, expense: Expense): Promise<void>;

  /** Removes a locked expense. */
  abstract remove(tx: Transaction, companyId: number, id: number): Promise<void>;

  /**
   * The company's likely duplicates of an expense: of the same vendor with the same document number, without case and
   * without blanks and marks of direction around it, or with a file of the same bytes. Call this after writing the
   * expense: it waits for concurrent writers, so that the later of two sees the earlier.
   *
   * @returns ids, the oldest first, at most `limit`
   */
  abstract duplicatesOf(
    tx: Transaction,
    expense: Pick<Expense, 'companyId' | 'id'>,
    limit: number,
  ): Promise<readonly number[]>;
}
