import { AppError } from './app-error';

/**
 * The cause of an `UNAVAILABLE` error, which operators see in `counterfoil_unavailable_total`:
 *
 * - `busy`: a limit on concurrent work of a company, of a process or of one resource is reached
 * - `database`: the database is unreachable, starting, stopping or read-only, or has no free connection
 * - `database_slow`: a statement or a wait for a lock took too long
 * - `storage`: the storage of files is unavailable, full or too slow
 * - `reader`: receipts cannot be read at present
 * - `prefetch`: a browser asked in advance for what is only shown to a reader
 * - `slow`: the process, or the sender of an upload, took too long
 * - `stopping`: the process is stopping
 */
export const UNAVAILABLE_REASONS = [
  'busy',
  'database',
  'database_slow',
  'storage',
  'prefetch',
  'reader',
  'slow',
  'stopping',
] as const;
export type UnavailableReason = (typeof UNAVAILABLE_REASONS)[number];

/** The error for a call that may succeed later (contract §3.2). */
export class UnavailableError extends AppError {
  constructor(
    readonly reason: UnavailableReason,
    message: string,
    options: { readonly retryAfterSeconds: number; readonly cause?: unknown },
  ) {
    super('UNAVAILABLE', message, options);
  }
}
