import { AsyncLocalStorage } from 'node:async_hooks';

/** For whom the current work is done: it decides whose share of scarce resources the work uses. */
export interface RequestScope {
  /** Null for a caller without a key. */
  readonly companyId: number | null;
  /** Whether the caller has hung up, so that nobody waits for the result. */
  readonly isAbandoned: () => boolean;
}

const scope = new AsyncLocalStorage<RequestScope | undefined>();

/** Marks everything that `work` does, however deep, as done for this caller. */
export function inRequestScope<T>(caller: RequestScope, work: () => T): T {
  return scope.run(caller, work);
}

/**
 * Does `work` as the service's own, whoever caused it: the look-up of keys, health checks, and what is done for many
 * companies at once.
 */
export function outsideRequests<T>(work: () => T): T {
  return scope.getStore() === undefined ? work() : scope.run(undefined, work);
}

/** Does `work` whose result several callers of a company wait for: it goes on when the first of them hangs up. */
export function sharedByCallers<T>(work: () => T): T {
  const caller = scope.getStore();
  return caller === undefined ? work() : scope.run({ ...caller, isAbandoned: () => false }, work);
}

/** Undefined where the service works for itself: jobs, commands, the look-up of keys, health checks. */
export function currentRequest(): RequestScope | undefined {
  return scope.getStore();
}
