const PAUSE_MAX_MS = 3_600_000;

/** Exponential backoff in milliseconds, doubled after each attempt, at most one hour. */
export function pauseAfter(attemptsBefore: number, firstMs: number): number {
  return Math.min(firstMs * 2 ** attemptsBefore, PAUSE_MAX_MS);
}
