import type { ErrorCode, FieldProblem } from '@counterfoil/kernel';

/** An error code for readers of the description. docs/errors.md has the details. */
interface ErrorEntry {
  readonly cause: string;
  /** The message of an example. */
  readonly error: string;
  readonly details?: readonly FieldProblem[];
}

const QUANTITY: FieldProblem = { field: 'items[0].quantity', problem: 'must be greater than zero' };
const TIERS: FieldProblem = {
  field: 'entries[0].tiers[1]',
  problem: 'overlaps the tier before it',
};
const NO_CLIENT: FieldProblem = {
  field: 'entityId',
  problem: 'refers to no client or vendor of this company',
};
const STOCK: FieldProblem = {
  field: 'quantity',
  problem: 'must be at most 3, which is the available quantity',
};

const withDetail = (cause: string, detail: FieldProblem): ErrorEntry => ({
  cause,
  error: `${detail.field} ${detail.problem}`,
  details: [detail],
});

export const ERROR_GUIDE: Readonly<Record<ErrorCode, ErrorEntry>> = {
  VALIDATION_FAILED: withDetail('A field is missing, malformed or breaks a rule.', QUANTITY),
  INVALID_PRICELIST: withDetail('The entries of a pricelist contain an error.', TIERS),
  MISSING_URL: { cause: '`url` is missing or empty.', error: 'url is required' },
  INVALID_IDEMPOTENCY_KEY: {
    cause: 'The `Idempotency-Key` is malformed.',
    error: 'Idempotency-Key must be sent once, as 1 to 255 printable ASCII characters',
  },
  INVALID_CURSOR: {
    cause: 'The `cursor` was not issued for this listing: open the sweep again.',
    error:
      'cursor was not issued for this listing: send nextCursor of the previous batch, unchanged and with the same filters',
  },
  INVALID_UPDATED_SINCE: {
    cause: '`updatedSince` is no ISO 8601 timestamp.',
    error:
      'updatedSince must be an ISO 8601 timestamp such as 2026-11-21T09:30:00Z (a + in it is written %2B)',
  },
  UNSUPPORTED_FILE_TYPE_FOR_EXTRACTION: {
    cause: 'Documents of this type cannot be read.',
    error: 'documents with this extension cannot be read: "receipt.docx"',
  },
  URL_NOT_ALLOWED: {
    cause: 'The URL leads to an address that is not public.',
    error: 'the address is not allowed',
  },
  UNKNOWN_REFERENCE: withDetail('The body names an id that the company does not have.', NO_CLIENT),
  UNAUTHENTICATED: {
    cause: 'No key, or one that is unknown, revoked, expired or used from another address than its own.',
    error: 'send your API key as Authorization: Bearer <API_KEY>',
  },
  FORBIDDEN: {
    cause: 'The role of the key may not do this.',
    error: 'a key of role viewer may not do this; use a key of role owner or accountant or editor',
  },
  COMPANY_SUSPENDED: {
    cause: 'The operator has suspended the company of the key.',
    error: 'the company of this key is suspended; ask the operator of this service',
  },
  NOT_FOUND: { cause: 'The company has no such record.', error: 'no such document' },
  METHOD_NOT_ALLOWED: {
    cause: 'The path is known, with other methods.',
    error: 'PATCH is not allowed here; use GET, HEAD',
  },
  IDEMPOTENCY_KEY_REUSED: {
    cause: 'The `Idempotency-Key` belongs to another call or body.',
    error: 'this Idempotency-Key was already used for another call or body: send a new key',
  },
  REQUEST_IN_PROGRESS: {
    cause: 'The first call with this `Idempotency-Key` is still running.',
    error: 'a call with this Idempotency-Key is still running: retry later',
  },
  INSUFFICIENT_STOCK: {
    cause: 'The movement takes more than the stock record has.',
    error: 'the movement takes 5, but only 3 are available',
    details: [STOCK],
  },
  INVALID_STATE: {
    cause: 'The current state of the record does not allow it.',
    error: 'the document is cancelled already',
  },
  LIMIT_REACHED: {
    cause: 'A limit would be exceeded.',
    error: 'the client would owe 12000 ILS, and its creditLimit is 10000',
  },
  PAYLOAD_TOO_LARGE: { cause: 'The body is too large.', error: 'the body is larger than 1 MiB' },
  UNSUPPORTED_MEDIA_TYPE: {
    cause: 'The body has another media type.',
    error: 'the body must be JSON, sent with Content-Type: application/json',
  },
  EXTRACTION_FAILED: {
    cause: 'The document is damaged, encrypted, or too much for the reader.',
    error: 'the file could not be read',
  },
  RATE_LIMITED: {
    cause: 'Too many requests: wait for `Retry-After`.',
    error: 'this API key may make 600 requests in 60 s: try again after 17 s',
  },
  INTERNAL: {
    cause: 'A bug of the service: report the `requestId` to the operator.',
    error: 'an internal error occurred; report the requestId to the operator',
  },
  FETCH_FAILED: {
    cause: 'The URL brought no document.',
    error: 'the url was answered with status 404',
  },
  UNAVAILABLE: {
    cause: 'The database is unavailable, or the service is too busy: wait for `Retry-After`.',
    error: 'the database is not available; try again',
  },
  EXTRACTION_TIMEOUT: {
    cause: 'The document was not read in time: call again.',
    error: 'the document was not read in time; the result is kept for a short time, so try again',
  },
};

const REQUEST_ID = 'd74caccf-2dc0-465b-9162-3cd4f18e601a';

/** A described operation never answers this, so no response refers to an example of it. */
const UNDESCRIBED: ErrorCode = 'METHOD_NOT_ALLOWED';

/**
 * An example of the body of each error, as components.
 *
 * @param guide the address of the page about errors, which has an anchor for each code
 */
export function errorExamples(guide: string): Readonly<Record<string, object>> {
  const entries = Object.entries(ERROR_GUIDE).filter(([code]) => code !== UNDESCRIBED);
  return Object.fromEntries(
    entries.map(([code, { cause, ...body }]) => [
      code,
      {
        summary: cause,
        description: `[What to do about ${code}](${guide}#${code})`,
        value: { success: false, code, ...body, requestId: REQUEST_ID },
      },
    ]),
  );
}
