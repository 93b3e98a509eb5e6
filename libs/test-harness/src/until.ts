import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MIN_MS = 10;
const PAUSE_MAX_MS = 100;

/** A tenth of the time waited: a condition may be a request to a service, whose work a frequent one would slow down. */
const pauseAfter = (waitedMs: number, maxMs: number) =>
  Math.min(Math.max(waitedMs / 10, PAUSE_MIN_MS), maxMs);

/**
 * Waits for a condition.
 *
 * @param what names the condition in the error message
 * @param pauseMaxMs the longest time between two tries; shorter for a state that does not last
 * @returns the last result of the condition
 * @throws Error if the condition does not hold in time, or does not answer
 */
export async function until<T>(
  what: string,
  condition: () => T | Promise<T>,
  limitMs = 10_000,
  pauseMaxMs = PAUSE_MAX_MS,
): Promise<Exclude<T, false | null | undefined>> {
  const started = Date.now();
  const deadline = started + limitMs;
  const finished = new AbortController();
  const tooLate = sleep(limitMs, null, { signal: finished.signal }).then(() => fail(what, limitMs));
  // If the condition was quicker, `sleep` rejects with the signal, and nothing awaits it.
  tooLate.catch(() => undefined);
  try {
    for (;;) {
      const answer = await Promise.race([condition(), tooLate]);
      if (answer) return answer as Exclude<T, false | null | undefined>;
      if (Date.now() > deadline) return fail(what, limitMs);
      await sleep(pauseAfter(Date.now() - started, pauseMaxMs));
    }
  } finally {
    finished.abort();
  }
}

function fail(what: string, limitMs: number): never {
  throw new Error(`${what}: not within ${limitMs} ms`);
}
