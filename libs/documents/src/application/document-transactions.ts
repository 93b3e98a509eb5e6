import { Gates, type Transaction, Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';

/** Transactions of one company that this process opens at once. They wait for each other in the database anyway. */
const OPEN_PER_COMPANY_MAX = 4;
const WAIT_MAX_MS = 10_000;

/** Opens the transactions that change a company's documents, a few at once for each company. */
@Injectable()
export class DocumentTransactions {
  private readonly gates = new Gates<number>({
    openMax: OPEN_PER_COMPANY_MAX,
    waitMaxMs: WAIT_MAX_MS,
    message: 'too many calls at once change the documents of this company; try again',
  });

  constructor(private readonly transactions: Transactions) {}

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
