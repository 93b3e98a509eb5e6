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
 * For how long an outcome stands. `lasting`: the same bytes come out so always. `brief`: the reader was lost over them,
 * which is not tried again at once. `once`: it lies with something else than the bytes.
 */
export type OutcomeStands = 'lasting' | 'brief' | 'once';

/** The outcome of a requested reading. */
export type ReadingOutcome = { readonly stands: OutcomeStands } & (
  { readonly reading: Reading } | { readonly failure: ReadingFailure }
);

export function failed(code: ReadingFailureCode, message: string, stands: OutcomeStands): ReadingOutcome {
  return { failure: { code, message }, stands };
}
