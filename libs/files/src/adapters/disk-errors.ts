import { UnavailableError } from '@counterfoil/kernel';

const RETRY_AFTER_SECONDS = 30;
/** The messages for resources that the machine has run out of. */
const MESSAGES: Readonly<Record<string, string>> = {
  ENOSPC: 'the file storage is full; try again later',
  EDQUOT: 'the file storage is full; try again later',
  EMFILE: 'too many files are open; try again',
  ENFILE: 'too many files are open; try again',
};

/** Converts an error to `UNAVAILABLE` if the machine is temporarily out of space or of open files. */
export function faultOfDisk(error: unknown): unknown {
  const message = MESSAGES[(error as NodeJS.ErrnoException | null)?.code ?? ''];
  if (message === undefined) return error;
  return new UnavailableError('storage', message, { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: error });
}

/** `faultOfDisk` for `promise.catch`. */
export function throwFaultOfDisk(error: unknown): never {
  throw faultOfDisk(error);
}
