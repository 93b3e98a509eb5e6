import type { RateLimit } from '@counterfoil/kernel';

/**
 * Limits that an operator may set for one company in place of the installation's. `fileBytes` and `fileCount` bound what
 * the company stores (libs/files), `dailyMails` the mails of 24 hours (libs/mail). The others are two rates, each of two limits that are set together: how many requests
 * each key of the company may make in a window, and how many all of them together.
 */
export const COMPANY_LIMITS = [
  'fileBytes',
  'fileCount',
  'dailyMails',
  'keyRequests',
  'keyWindowSeconds',
  'companyRequests',
  'companyWindowSeconds',
] as const;
export type CompanyLimit = (typeof COMPANY_LIMITS)[number];

/** The limits set for one company. Null lifts the limit; a limit that is absent has the installation's value. */
export type CompanyLimits = Partial<Readonly<Record<CompanyLimit, number | null>>>;

/** Changes to the limits of a company: `default` gives one back to the installation's value. */
export type CompanyLimitChanges = Partial<Readonly<Record<CompanyLimit, number | null | 'default'>>>;

/** The rates among the limits of a company. Null: no such limit; undefined: the installation's. */
export interface CompanyRates {
  readonly key: RateLimit | null | undefined;
  readonly company: RateLimit | null | undefined;
}

export function ratesOf(limits: CompanyLimits): CompanyRates {
  return {
    key: rateOf(limits.keyRequests, limits.keyWindowSeconds),
    company: rateOf(limits.companyRequests, limits.companyWindowSeconds),
  };
}

function rateOf(
  requests: number | null | undefined,
  windowSeconds: number | null | undefined,
): RateLimit | null | undefined {
  if (requests === undefined || windowSeconds === undefined) return undefined;
  return requests === null || windowSeconds === null ? null : { requests, windowSeconds };
}
