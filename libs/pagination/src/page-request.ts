import { lastValue } from './query';

/** The part of a list that a caller asks for. */
export interface PageRequest {
  /** Maximum number of rows: 1 to 200. */
  readonly limit: number;
  /** Rows to skip: 0 or more. */
  readonly offset: number;
}

/** The page size when the caller names none (contract §2.1). */
export const PAGE_SIZE_DEFAULT = 50;
/** Larger page sizes are reduced to this (contract §2.2). */
export const PAGE_SIZE_MAX = 200;
/** The largest offset that a number represents exactly. */
const OFFSET_MAX = Number.MAX_SAFE_INTEGER;

/** Decimal notation: `20`, `-5`, `1.5`, `1e9`; not `0x10`, `1_000`, `Infinity`. */
const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/**
 * Reads `limit`, `pageSize`, `offset` and `page` from a parsed query string. Never fails (contract §2.2):
 * anything but a number means the default, fractions are rounded down, and numbers are clamped.
 *
 * If `pageSize` is present, `limit` is ignored, even if `pageSize` is invalid: `pageSize=abc&limit=10` is a
 * page of the default size. Likewise `offset` wins over `page`. The last value of a repeated parameter
 * counts.
 */
export function parsePageRequest(query: Readonly<Record<string, unknown>>): PageRequest {
  const size = lastValue(query['pageSize']) ?? lastValue(query['limit']);
  const limit = clamp(numberIn(size, PAGE_SIZE_DEFAULT), 1, PAGE_SIZE_MAX);
  const offset = lastValue(query['offset']);
  if (offset !== undefined) return { limit, offset: clamp(numberIn(offset, 0), 0, OFFSET_MAX) };
  const lastPage = Math.floor(OFFSET_MAX / limit) + 1;
  const page = clamp(numberIn(lastValue(query['page']), 1), 1, lastPage);
  return { limit, offset: (page - 1) * limit };
}

/** A number that is too large for a double becomes `Infinity` and not the fallback, so that `clamp` limits it. */
function numberIn(sent: unknown, fallback: number): number {
  if (typeof sent !== 'string' && typeof sent !== 'number') return fallback;
  const text = String(sent).trim();
  return DECIMAL.test(text) ? Math.floor(Number(text)) : fallback;
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max);
}
