import { validationFailed } from '@counterfoil/kernel';

export const SHARE_DAYS_MAX = 366;
const SHARE_DAYS = 30;
const DAY_MS = 86_400_000;
/** A client, its accountant and a few colleagues; a leaked key must not spread a document without end. */
export const LIVE_SHARES_MAX = 20;

/** How long a link opens its document: a number of days, or until a time. 30 days if neither is given. */
export interface Lifetime {
  readonly expiresInDays: number | null;
  readonly expiresAt: Date | null;
}

/** @throws AppError `VALIDATION_FAILED` for both at once, for the past, and for more than 366 days */
export function expiryOf({ expiresInDays, expiresAt }: Lifetime, now: Date): Date {
  if (expiresAt === null) return new Date(now.getTime() + (expiresInDays ?? SHARE_DAYS) * DAY_MS);
  const problem = expiryProblem(expiresAt, expiresInDays !== null, now);
  if (problem !== null) throw validationFailed([{ field: 'expiresAt', problem }]);
  return expiresAt;
}

function expiryProblem(expiresAt: Date, hasDays: boolean, now: Date): string | null {
  if (hasDays) return 'must be left out if expiresInDays is sent';
  if (expiresAt <= now) return 'must be in the future';
  const latest = now.getTime() + SHARE_DAYS_MAX * DAY_MS;
  return expiresAt.getTime() > latest ? `must be at most ${SHARE_DAYS_MAX} days ahead` : null;
}
