import { AsyncLocalStorage } from 'node:async_hooks';

declare const transactionBrand: unique symbol;

/**
 * An open database transaction, opaque to everything but the adapters. It is the required first argument of
 * every write, every lock and every event, so that a write outside a transaction does not compile.
 */
export interface Transaction {
  readonly [transactionBrand]: true;
}

/** Opens transactions. The use case does; nobody below it. */
export abstract class Transactions {
  /**
   * Runs `work` in one transaction and commits it. The whole of it is run again, a few times, when the
   * database gives it up to a deadlock or a serialization failure (SQLSTATE 40P01, 40001), so it must have no
   * effect outside the database. Throws what `work` throws, after a rollback.
   */
  abstract run<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;

  /**
   * Runs `action` after `tx` has committed, and not at all when it rolls back. For signals that may be lost;
   * whatever must happen is written in the transaction.
   */
  abstract afterCommit(tx: Transaction, action: () => void): void;
}

const scope = new AsyncLocalStorage<true>();

/** Marks everything that `work` does, however deep, as inside a transaction. For implementers of `Transactions`. */
export function insideTransaction<T>(work: () => Promise<T>): Promise<T> {
  return scope.run(true, work);
}

export function isInsideTransaction(): boolean {
  return scope.getStore() === true;
}

/** Throws when called inside a transaction: nothing leaves the database there, for `run` may repeat the work. */
export function assertNoTransaction(action: string): void {
  if (isInsideTransaction()) throw new Error(`${action} inside a database transaction`);
}
