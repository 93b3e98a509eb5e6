import { KeyedSemaphore } from './keyed-semaphore';
import type { Transactions } from './transaction';
import { type Transaction } from './transaction';

/**
 * Concurrent transactions of one company in a process. More would only wait for the company's lock in the
 * database.
 */
const OPEN_PER_COMPANY_MAX = 4;
const WAIT_MAX_MS = 10_000;

/**
 * Opens transactions that take a lock of their company, a few at once for each company. More would hold
 * connections that other companies need, only to wait for the lock.
 */
export abstract class CompanyTransactions {
  private readonly semaphore: KeyedSemaphore<number>;

  /** @param what the data that the transactions change, for the error message */
  constructor(
    private readonly transactions: Transactions,
    what: string,
  ) {
    this.semaphore = new KeyedSemaphore<number>({
      openMax: OPEN_PER_COMPANY_MAX,
      waitMaxMs: WAIT_MAX_MS,
      message: `too many concurrent calls change the ${what} of this company; try again`,
    });
  }

  /**
   * Like `Transactions.run`, in the order of the calls.
   *
   * @throws AppError `UNAVAILABLE` when earlier calls of the company leave no slot in time
   */
  run<T>(companyId: number, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.semaphore.run(companyId, () => this.transactions.run(work));
  }

  /** Whether another transaction of the company would have to wait for a slot. */
  areFull(companyId: number): boolean {
    return this.semaphore.isFull(companyId);
  }

  afterCommit(tx: Transaction, action: () => void): void {
    this.transactions.afterCommit(tx, action);
  }
}
