import { AsyncLocalStorage } from 'node:async_hooks';

/** The values of all variables, each at the index of its variable. */
type Values = readonly unknown[];

const storage = new AsyncLocalStorage<Values>();

/**
 * A value of the current work, and of everything it calls.
 *
 * All variables share one `AsyncLocalStorage`: Node.js 20 copies the store of each storage to every promise, and a
 * request creates hundreds of them.
 */
export class ContextVariable<T> {
  private static count = 0;

  private readonly index = ContextVariable.count++;

  /** Undefined outside of `run`, and within one that was given no value. */
  get(): T | undefined {
    return storage.getStore()?.[this.index] as T | undefined;
  }

  /** Runs `work` with this value. The values of all other variables stay. */
  run<R>(value: T | undefined, work: () => R): R {
    const values = storage.getStore()?.slice() ?? [];
    values[this.index] = value;
    return storage.run(values, work);
  }
}
