import { setTimeout as sleep } from 'node:timers/promises';
import { UnavailableError } from '@counterfoil/kernel';

/** A warm worker needs milliseconds for a page. */
const PAUSES_MS = { first: 10, longest: 200 } as const;
const GROWTH = 1.3;
/** A job may be lost while Redis is away, and what is rendered may have changed. */
const ROUND_MS = 2_000;
const ROUNDS = 5;
const RETRY_AFTER_SECONDS = 5;

/** A file that a worker is to make. */
export interface AwaitedFile<File> {
  /** Tells the workers that somebody waits. */
  readonly signal: () => Promise<void>;
  /** Null while it does not exist. */
  readonly find: () => Promise<File | null>;
}

/**
 * Waits until a worker has made a file.
 *
 * @param next reads anew what is to be rendered, for each round
 * @throws AppError `UNAVAILABLE` if no worker makes it in time
 */
export async function awaitFile<File>(next: (round: number) => Promise<AwaitedFile<File>>): Promise<File> {
  for (let round = 0; round < ROUNDS; round++) {
    const { signal, find } = await next(round);
    await signal();
    const file = await found(find);
    if (file) return file;
  }
  const message = 'the document was not rendered in time; is a worker running? Try again';
  throw new UnavailableError('slow', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

async function found<File>(find: () => Promise<File | null>): Promise<File | null> {
  const end = performance.now() + ROUND_MS;
  for (let pauseMs: number = PAUSES_MS.first; performance.now() < end; pauseMs *= GROWTH) {
    await sleep(Math.min(pauseMs, PAUSES_MS.longest));
    const file = await find();
    if (file) return file;
  }
  return null;
}
