// Repeats work that fails for a reason that passes, such as a full disk.
import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe } from './fault.mjs';

const PAUSE_FIRST_MS = 500;
const PAUSE_MAX_MS = 5000;
/** Two segments of PostgreSQL's log, and as much again for other files. With less, a start may fail for lack of space. */
const ROOM_BYTES = 64 * 1024 * 1024;

/**
 * @template Result
 * @param {() => Promise<Result>} work
 * @param {object} options
 * @param {AbortSignal} options.until
 * @param {(reason: string) => void} options.report gets each reason once in a row
 * @param {() => boolean} [options.isPassing] whether to repeat the work after a failure
 * @returns {Promise<Result>}
 */
export async function keepTrying(work, { until, report, isPassing = () => true }) {
  let told = '';
  for (let pauseMs = PAUSE_FIRST_MS; ; pauseMs = Math.min(pauseMs * 2, PAUSE_MAX_MS)) {
    try {
      return await work();
    } catch (error) {
      until.throwIfAborted();
      if (!isPassing()) throw error;
      const reason = describe(error);
      // Process ids in the message differ between attempts.
      const kind = reason.replaceAll(/\d+/g, '');
      if (kind !== told) report(reason);
      told = kind;
    }
    await sleep(pauseMs, undefined, { signal: until });
  }
}

/** Whether the disk of a folder has so little space that work may have failed for lack of it. */
export function isDiskFull(folder) {
  const { bavail, bsize } = fs.statfsSync(folder);
  return bavail * bsize < ROOM_BYTES;
}
