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
   * The expenses of the company that are likely to be the same one: of the same vendor with the same document number, case,
   * blanks and marks of direction around it aside, or with a file of the same bytes. To be asked once the expense is written: whoever writes
   * another one at the same time is waited for then, so that of two the later one sees the earlier.
   *
   * @returns ids, the oldest first, as many as `limit`
   */
  abstract duplicatesOf(
    tx: Transaction,
    expense: Pick<Expense, 'companyId' | 'id'>,
    limit: number,
  ): Promise<readonly number[]>;
}
