import { setTimeout as sleep } from 'node:timers/promises';
import { UnavailableError } from '@counterfoil/kernel';
import type { JobName, JobPayloads, JobQueue } from '@counterfoil/queue';

/** A warm worker needs milliseconds for a page. */
const PAUSES_MS = { first: 10, longest: 200 } as const;
const GROWTH = 1.3;
/** A job may be lost while Redis is away, and what is rendered may have changed. */
const ROUND_MS = 2_000;
const ROUNDS = 5;
const RETRY_AFTER_SECONDS = 5;

/** Returns null while the file does not exist. */
type Find<File> = () => Promise<File | null>;

/** The job that makes a file. The same file has the same job. */
export interface FileJob<Name extends JobName> {
  readonly name: Name;
  readonly id: string;
  readonly payload: JobPayloads[Name];
}

/**
 * Waits until a worker has made a file. If that takes too long, the job is withdrawn: workers would make files that nobody
 * waits for, and without a worker they would fill the queue. Those who wait in other processes signal the job again in
 * their next round.
 *
 * @param next reads anew what is to be rendered, for each round
 * @throws AppError `UNAVAILABLE` if no worker makes it in time
 */
export async function awaitFile<File, Name extends JobName>(
  queue: JobQueue,
  { name, id, payload }: FileJob<Name>,
  next: (round: number) => Promise<Find<File>>,
): Promise<File> {
  try {
    return await inRounds(next, () => queue.signal(name, [{ id, payload }]));
  } catch (error) {
    await queue.withdraw(name, id);
    throw error;
  }
}

async function inRounds<File>(
  next: (round: number) => Promise<Find<File>>,
  signal: () => Promise<void>,
): Promise<File> {
  for (let round = 0; round < ROUNDS; round++) {
    const find = await next(round);
    await signal();
    const file = await found(find);
    if (file) return file;
  }
  const message = 'the document was not rendered in time; is a worker running? Try again';
  throw new UnavailableError('slow', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

async function found<File>(find: Find<File>): Promise<File | null> {
  const end = performance.now() + ROUND_MS;
  for (let pauseMs: number = PAUSES_MS.first; performance.now() < end; pauseMs *= GROWTH) {
    await sleep(Math.min(pauseMs, PAUSES_MS.longest));
    const file = await find();
    if (file) return file;
  }
  return null;
}
