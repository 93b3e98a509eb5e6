import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 25;

/**
 * Waits for a condition, and fails when it does not come about in time.
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
  for (;;) {
    const answer = await condition();
    if (answer) return answer as Exclude<T, false | null | undefined>;
    if (Date.now() > deadline) throw new Error(`${what}: not within ${limitMs} ms`);
    await sleep(PAUSE_MS);
  }
}
