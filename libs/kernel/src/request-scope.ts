import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Whose share of scarce resources a request uses: that of its company, by its id. Callers that no key has told the company
 * of share by the way they came, so that neither way can shut out the other: `strangers` on public routes, and `links` to
 * files until the file has told the company.
 */
export type Share = number | 'strangers' | 'links';

/** For whom the current work is done. */
export interface RequestScope {
  readonly share: Share;
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

/** Does the rest of a request that came without a key as its company's, now that it is known. Jobs stay the service's own. */
export function asCompany<T>(companyId: number, work: () => T): T {
  const caller = scope.getStore();
  return caller === undefined ? work() : scope.run({ ...caller, share: companyId }, work);
}

/** Undefined where the service works for itself: jobs, commands, the look-up of keys, health checks. */
export function currentRequest(): RequestScope | undefined {
  return scope.getStore();
}
