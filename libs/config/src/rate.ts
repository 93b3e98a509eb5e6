import type { RateLimit } from '@counterfoil/kernel';

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };
const REQUESTS_MAX = 1_000_000_000;
const WINDOW_SECONDS_MAX = 86_400;

/** The rule of `parseRate`, for error messages. */
export const RATE_RULE =
  'requests in a window of seconds, minutes or hours, at most 1d, such as 10/1s, 600/1m or 20000/1h';

/** Parses a rate such as `600/1m`; null for anything else. */
export function parseRate(text: string): RateLimit | null {
  const [, count, length, unit = ''] = /^(\d{1,10})\/(\d{1,6})([smhd])$/.exec(text) ?? [];
  const requests = Number(count);
  const windowSeconds = Number(length) * (UNIT_SECONDS[unit] ?? Number.NaN);
  const valid =
    requests >= 1 && requests <= REQUESTS_MAX && windowSeconds >= 1 && windowSeconds <= WINDOW_SECONDS_MAX;
  return valid ? { requests, windowSeconds } : null;
}
