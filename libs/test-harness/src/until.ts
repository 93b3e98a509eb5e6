import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 25;

/**
 * Waits for a condition.
 *
 * @param what names the condition in the error message
 * @returns the last result of the condition
 * @throws Error if the condition does not hold in time, or does not answer
 */
export async function until<T>(
  what: string,
  condition: () => T | Promise<T>,
  limitMs = 10_000,
): Promise<Exclude<T, false | null | undefined>> {
  const deadline = Date.now() + limitMs;
  const finished = new AbortController();
  const tooLate = sleep(limitMs, null, { signal: finished.signal }).then(() => fail(what, limitMs));
  // If the condition was quicker, `sleep` rejects with the signal, and nothing awaits it.
  tooLate.catch(() => undefined);
  try {
    for (;;) {
      const answer = await Promise.race([condition(), tooLate]);
      if (answer) return answer as Exclude<T, false | null | undefined>;
      if (Date.now() > deadline) return fail(what, limitMs);
      await sleep(PAUSE_MS);
    }
  } finally {
    finished.abort();
  }
}

function fail(what: string, limitMs: number): never {
  throw new Error(`${what}: not within ${limitMs} ms`);
}
