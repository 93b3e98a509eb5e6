// Repeats work that fails for a reason that passes, such as a full disk.
import { setTimeout as sleep } from 'node:timers/promises';
import { describe } from './fault.mjs';

const PAUSE_FIRST_MS = 500;
const PAUSE_MAX_MS = 5000;

/**
 * @template Result
 * @param {() => Promise<Result>} work
 * @param {object} options
 * @param {AbortSignal} options.until
 * @param {(reason: string) => void} options.report gets each reason once in a row
 * @param {(error: unknown) => boolean} [options.isPassing] whether to repeat the work after this error
 * @returns {Promise<Result>}
 */
export async function keepTrying(work, { until, report, isPassing = () => true }) {
  let told = '';
  for (let pauseMs = PAUSE_FIRST_MS; ; pauseMs = Math.min(pauseMs * 2, PAUSE_MAX_MS)) {
    try {
      return await work();
    } catch (error) {
      until.throwIfAborted();
      if (!isPassing(error)) throw error;
      const reason = describe(error);
      // Process ids in the message differ between attempts.
      const kind = reason.replaceAll(/\d+/g, '');
      if (kind !== told) report(reason);
      told = kind;
    }
    await sleep(pauseMs, undefined, { signal: until });
  }
}
