import { createHash } from 'node:crypto';
import { AppError } from './app-error';

/** A call that may be repeated, and what it asked for (spec: Idempotency rules). */
export interface IdempotencyKey {
  /** 1 to 255 printable ASCII characters, scoped to the company. */
  readonly key: string;
  /** 32 bytes: the same for the same path and body, whatever the order of keys and the white space. */
  readonly fingerprint: Buffer;
}

const PRINTABLE_ASCII = /^[\x20-\x7e]{1,255}$/;

/**
 * Reads the values that were sent under `Idempotency-Key`: none, or exactly one well-formed key. Quotes are part of it.
 *
 * @returns null when none was sent
 * @throws AppError `INVALID_IDEMPOTENCY_KEY` (decisions §9)
 */
export function parseIdempotencyKey(values: readonly string[]): string | null {
  const [key, ...others] = values;
  if (key === undefined) return null;
  if (others.length === 0 && PRINTABLE_ASCII.test(key)) return key;
  const message = 'Idempotency-Key must be sent once, as 1 to 255 printable ASCII characters';
  throw new AppError('INVALID_IDEMPOTENCY_KEY', message);
}

/**
 * What tells one call from another (decisions §9): the path, in one of its spellings, and the body as JSON values. Numbers
 * are compared as numbers (1.0 is 1), texts as texts (`\u00e9` is é); a field that is null is not one that is left out,
 * and fields that the service does not know count.
 */
export function fingerprintOf(call: string, body: unknown): Buffer {
  return createHash('sha256')
    .update(`${call}\n${canonicalJson(body)}`)
    .digest();
}

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  // Too large for a number, it is read as infinite, which JSON would write as null.
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`).join(',')}}`;
}
