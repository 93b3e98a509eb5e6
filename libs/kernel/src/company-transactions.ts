import { Gates } from './gates';
import type { Transactions } from './transaction';
import { type Transaction } from './transaction';

/** Transactions of one company that a process opens at once. They wait for each other in the database anyway. */
const OPEN_PER_COMPANY_MAX = 4;
const WAIT_MAX_MS = 10_000;

/**
 * Opens transactions that wait for each other within a company, a few at once for each: all of them would only hold the
 * connections that other companies need.
 */
export abstract class CompanyTransactions {
  private readonly gates: Gates<number>;

  /** @param what the company's, that the transactions change */
  constructor(
    private readonly transactions: Transactions,
    what: string,
  ) {
    this.gates = new Gates<number>({
      openMax: OPEN_PER_COMPANY_MAX,
      waitMaxMs: WAIT_MAX_MS,
      message: `too many calls at once change the ${what} of this company; try again`,
    });
  }

  /**
   * As `Transactions.run`, in the order of the calls.
   *
   * @throws AppError `UNAVAILABLE` when the company's calls before this one take too long
   */
  run<T>(companyId: number, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.gates.run(companyId, () => this.transactions.run(work));
  }

  /** Whether another transaction of the company would have to wait for its turn. */
  areFull(companyId: number): boolean {
    return this.gates.isFull(companyId);
  }

  afterCommit(tx: Transaction, action: () => void): void {
    this.transactions.afterCommit(tx, action);
  }
}
