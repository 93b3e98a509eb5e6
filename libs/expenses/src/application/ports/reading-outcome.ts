import type { ErrorCode } from '@counterfoil/kernel';
import type { Reading } from '@counterfoil/receipt-reader';

declare module '@counterfoil/kernel' {
  interface ErrorCodes {
    EXTRACTION_FAILED: true;
    FETCH_FAILED: true;
    UNSUPPORTED_FILE_TYPE_FOR_EXTRACTION: true;
  }
}

/** The error codes of a failed reading. */
export type ReadingFailureCode = Extract<
  ErrorCode,
  | 'EXTRACTION_FAILED'
  | 'FETCH_FAILED'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNAVAILABLE'
  | 'UNSUPPORTED_FILE_TYPE_FOR_EXTRACTION'
  | 'URL_NOT_ALLOWED'
>;

interface ReadingFailure {
  readonly code: ReadingFailureCode;
  readonly message: string;
}

/**
 * For how long an outcome is reused for the same bytes. `lasting`: the outcome depends on the bytes alone. `brief`: the
 * reader crashed on them, so it is not retried at once. `once`: the cause is not in the bytes, so it is never cached.
 */
export type OutcomeTtl = 'lasting' | 'brief' | 'once';

/** The outcome of a requested reading. */
export type ReadingOutcome = {
  /** Named as in the stored JSON. */
  readonly stands: OutcomeTtl;
} & ({ readonly reading: Reading } | { readonly failure: ReadingFailure });

export function failed(code: ReadingFailureCode, message: string, ttl: OutcomeTtl): ReadingOutcome {
  return { failure: { code, message }, stands: ttl };
}
