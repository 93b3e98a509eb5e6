import { createHash } from 'node:crypto';
import { AppError } from './app-error';

/** The key of a call that the client may repeat, with the fingerprint of its request (contract §9). */
export interface IdempotencyKey {
  /** 1 to 255 printable ASCII characters, scoped to the company. */
  readonly key: string;
  /** 32 bytes, equal for the same path and body. The order of JSON keys and white space do not count. */
  readonly fingerprint: Buffer;
}

const PRINTABLE_ASCII = /^[\x20-\x7e]{1,255}$/;

/**
 * Reads the values of the header `Idempotency-Key`. Quotes are part of the key.
 *
 * @returns null without the header
 * @throws AppError `INVALID_IDEMPOTENCY_KEY` (contract §9.1)
 */
export function parseIdempotencyKey(values: readonly string[]): string | null {
  const [key, ...others] = values;
  if (key === undefined) return null;
  if (others.length === 0 && PRINTABLE_ASCII.test(key)) return key;
  const message = 'Idempotency-Key must be sent once, as 1 to 255 printable ASCII characters';
  throw new AppError('INVALID_IDEMPOTENCY_KEY', message);
}

/**
 * Hashes what distinguishes one call from another (contract §9.6): the normalized path, and the body as JSON
 * values. Equal numbers are equal (1.0 is 1), and so are equal texts (`\u00e9` is é). A field that is null
 * differs from one that is absent, and unknown fields count.
 */
export function fingerprintOf(call: string, body: unknown): Buffer {
  return createHash('sha256')
    .update(`${call}\n${canonicalJson(body)}`)
    .digest();
}

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  // JSON.parse reads a number that is too large as Infinity, which JSON.stringify would write as null.
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`).join(',')}}`;
}
