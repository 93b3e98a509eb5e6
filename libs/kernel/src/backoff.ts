const PAUSE_MAX_MS = 3_600_000;

/** How long to wait before the next attempt: twice as long after each one, up to an hour. */
export function pauseAfter(attemptsBefore: number, firstMs: number): number {
  return Math.min(firstMs * 2 ** attemptsBefore, PAUSE_MAX_MS);
}
