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
 * How long an outcome is reused for the same bytes. `lasting`: the outcome depends only on the bytes.
 * `brief`: the reader crashed on them, so they are not read again for a while. `once`: the bytes are not the
 * only cause, for example because the time was up, so it is never cached.
 */
export type OutcomeTtl = 'lasting' | 'brief' | 'once';

/** The outcome of a requested reading. */
export type ReadingOutcome = {
  /** The name in the stored JSON. */
  readonly stands: OutcomeTtl;
} & ({ readonly reading: Reading } | { readonly failure: ReadingFailure });

export function failed(code: ReadingFailureCode, message: string, ttl: OutcomeTtl): ReadingOutcome {
  return { failure: { code, message }, stands: ttl };
}
