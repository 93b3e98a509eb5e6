import { ContextVariable } from './context-variable';
import { outsideTraces } from './trace-scope';

/**
 * The share of scarce resources that a request uses: the id of its company, or, before the company is known,
 * a common share for each kind of entry. `strangers` are callers of public routes, and `links` are downloads
 * by a file link until the file names the company. Neither kind can exhaust the share of the other.
 */
export type Share = number | 'strangers' | 'links';

/** The request that the current work belongs to. */
export interface RequestScope {
  readonly share: Share;
  /** Whether the caller has hung up. */
  readonly isAbandoned: () => boolean;
}

const scope = new ContextVariable<RequestScope>();

/** Runs `work`, and everything it calls, in the scope of this request. */
export function inRequestScope<T>(caller: RequestScope, work: () => T): T {
  return scope.run(caller, work);
}

/**
 * Runs `work` outside the scope of any request, and outside of its trace: key lookups, health checks, and work
 * for many companies at once.
 */
export function outsideRequests<T>(work: () => T): T {
  return outsideTraces(() => (scope.get() === undefined ? work() : scope.run(undefined, work)));
}

/**
 * Runs `work` whose result several callers of a company await. It goes on when the first of them hangs up.
 */
export function sharedByCallers<T>(work: () => T): T {
  const caller = scope.get();
  return caller === undefined ? work() : scope.run({ ...caller, isAbandoned: () => false }, work);
}

/**
 * Charges the rest of a request that came without a key to its company, now that it is known. Has no effect
 * outside requests.
 */
export function asCompany<T>(companyId: number, work: () => T): T {
  const caller = scope.get();
  return caller === undefined ? work() : scope.run({ ...caller, share: companyId }, work);
}

/** Undefined outside of requests: in jobs, commands, key lookups and health checks. */
export function currentRequest(): RequestScope | undefined {
  return scope.get();
}
