import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 25;

/**
 * Waits for a condition, and fails when it does not come about in time, or never says whether it has.
 *
 * @param what names the condition in the failure
 * @returns what the condition answered at last
 */
export async function until<T>(
  what: string,
  condition: () => T | Promise<T>,
  limitMs = 10_000,
): Promise<Exclude<T, false | null | undefined>> {
  const deadline = Date.now() + limitMs;
  const settled = new AbortController();
  const tooLate = sleep(limitMs, null, { signal: settled.signal }).then(() => fail(what, limitMs));
  // Where the condition was quicker, it ends with the signal, and nobody waits for it.
  tooLate.catch(() => undefined);
  try {
    for (;;) {
      const answer = await Promise.race([condition(), tooLate]);
      if (answer) return answer as Exclude<T, false | null | undefined>;
      if (Date.now() > deadline) return fail(what, limitMs);
      await sleep(PAUSE_MS);
    }
  } finally {
    settled.abort();
  }
}

function fail(what: string, limitMs: number): never {
  throw new Error(`${what}: not within ${limitMs} ms`);
}
