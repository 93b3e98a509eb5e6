import { lastValue } from './query';

/** The window of a list that a caller asks for. */
export interface PageRequest {
  /** Rows at most: 1 to 200. */
  readonly limit: number;
  /** Rows to skip: 0 or more. */
  readonly offset: number;
}

/** The size of a page that nobody asked for (spec: Limits). */
export const PAGE_SIZE_DEFAULT = 50;
/** The largest page; who asks for more gets this (spec: Pagination contract, rule 3). */
export const PAGE_SIZE_MAX = 200;
/** The furthest position that a number still names exactly. */
const OFFSET_MAX = Number.MAX_SAFE_INTEGER;

/** A decimal number as people and programs write it: `20`, `-5`, `1.5`, `1e9`; not `0x10`, `1_000`, `Infinity`. */
const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/**
 * Reads `limit`, `pageSize`, `offset` and `page` from a query string as it was parsed. Never fails (decisions §1):
 * what is not a number counts as its default, fractions are floored, and numbers are clamped.
 *
 * `pageSize` wins over `limit`, and `offset` over `page`, by being sent at all: `pageSize=abc&limit=10` is a page of
 * the default size. Of a repeated parameter the last value counts.
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

/** Numbers too large to hold read as infinite, so that clamping still finds their side. */
function numberIn(sent: unknown, fallback: number): number {
  if (typeof sent !== 'string' && typeof sent !== 'number') return fallback;
  const text = String(sent).trim();
  return DECIMAL.test(text) ? Math.floor(Number(text)) : fallback;
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max);
}
