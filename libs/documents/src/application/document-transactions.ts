import { AppError, type Transaction, Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';

/**
 * Transactions of one company that this process opens at once. They wait for each other in the database anyway; more
 * would hold connections of the pool that other companies could use.
 */
const OPEN_PER_COMPANY_MAX = 4;
const WAIT_MAX_MS = 10_000;
const RETRY_AFTER_SECONDS = 2;

/** Opens the transactions that change a company's documents, a few at once for each company. */
@Injectable()
export class DocumentTransactions {
  private readonly gates = new Map<number, Gate>();

  constructor(private readonly transactions: Transactions) {}

  /**
   * As `Transactions.run`, in the order of the calls.
   *
   * @throws AppError `UNAVAILABLE` when the company's calls before this one take too long
   */
  async run<T>(companyId: number, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const gate = this.gates.get(companyId) ?? new Gate();
    this.gates.set(companyId, gate);
    await gate.enter();
    try {
      return await this.transactions.run(work);
    } finally {
      gate.leave();
      if (gate.isIdle) this.gates.delete(companyId);
    }
  }

  /** Whether another transaction of the company would have to wait for its turn. */
  areFull(companyId: number): boolean {
    return this.gates.get(companyId)?.isFull ?? false;
  }

  afterCommit(tx: Transaction, action: () => void): void {
    this.transactions.afterCommit(tx, action);
  }
}

class Gate {
  private open = 0;
  private readonly waiting = new Set<() => void>();

  get isIdle(): boolean {
    return this.open === 0 && this.waiting.size === 0;
  }

  get isFull(): boolean {
    return this.open >= OPEN_PER_COMPANY_MAX;
  }

  enter(): Promise<void> {
    if (!this.isFull) {
      this.open += 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const admit = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.waiting.delete(admit);
        const message = 'too many calls at once change the documents of this company; try again';
        reject(new AppError('UNAVAILABLE', message, { retryAfterSeconds: RETRY_AFTER_SECONDS }));
      }, WAIT_MAX_MS);
      this.waiting.add(admit);
    });
  }

  /** The place is handed to whoever waits longest. */
  leave(): void {
    const [next] = this.waiting;
    if (!next) {
      this.open -= 1;
      return;
    }
    this.waiting.delete(next);
    next();
  }
}
