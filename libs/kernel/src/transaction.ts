import { ContextVariable } from './context-variable';

declare const transactionBrand: unique symbol;

/**
 * An open database transaction, opaque to all code but the adapters. It is the first argument of every write,
 * lock and event, so that a write outside a transaction does not compile.
 */
export interface Transaction {
  readonly [transactionBrand]: true;
}

/** Opens transactions. Only use cases open them. */
export abstract class Transactions {
  /**
   * Runs `work` in a transaction and commits it. After a deadlock or a serialization failure (SQLSTATE 40P01,
   * 40001) it runs `work` again, a few times, so `work` must have no effect outside the database. When `work`
   * throws, it rolls back and throws the same error.
   */
  abstract run<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;

  /**
   * Runs `action` after `tx` has committed, and never after a rollback. A crash loses it, so use it only for
   * signals: whatever must happen is written in the transaction.
   */
  abstract afterCommit(tx: Transaction, action: () => void): void;
}

const scope = new ContextVariable<true>();

/** Marks `work`, and everything it calls, as inside a transaction. For implementations of `Transactions`. */
export function insideTransaction<T>(work: () => Promise<T>): Promise<T> {
  return scope.run(true, work);
}

export function isInsideTransaction(): boolean {
  return scope.get() === true;
}

/**
 * Throws inside a transaction. Effects outside the database are forbidden there, because `run` may repeat the
 * work.
 */
export function assertNoTransaction(action: string): void {
  if (isInsideTransaction()) throw new Error(`${action} inside a database transaction`);
}
