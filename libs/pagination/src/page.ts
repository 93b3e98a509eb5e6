import type { PageRequest } from './page-request';

/** The block that describes the window of every list (spec: Pagination block). */
export interface Pagination {
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  readonly hasMore: boolean;
  readonly page: number;
  readonly pageSize: number;
  readonly totalPages: number;
}

/** One answer of a list: the rows of the window, and the window. */
export interface Page<T> {
  readonly data: readonly T[];
  readonly pagination: Pagination;
}

/** One window of a set that holds `total` rows. */
export function pageOf<T>(rows: readonly T[], total: number, request: PageRequest): Page<T> {
  const { limit, offset } = request;
  return {
    data: rows,
    pagination: {
      total,
      limit,
      offset,
      // By position, not by rows received: when the last rows vanish after they were counted, the walk still ends.
      hasMore: offset + limit < total,
      page: Math.floor(offset / limit) + 1,
      pageSize: limit,
      totalPages: Math.ceil(total / limit),
    },
  };
}

/**
 * The answer of the lists that ignore the window asked for (spec: Pagination contract, rule 6): all rows as one
 * page, of size 0 when there are none (decisions §12).
 */
export function wholeSet<T>(rows: readonly T[]): Page<T> {
  return { data: rows, pagination: wholeSetOf(rows.length) };
}

/** The window that shows a whole set. */
export function wholeSetOf(total: number): Pagination {
  return {
    total,
    limit: total,
    offset: 0,
    hasMore: false,
    page: 1,
    pageSize: total,
    totalPages: total === 0 ? 0 : 1,
  };
}

/**
 * One window of a set that is not counted (spec: Pagination contract, rule 7): `total` is the rows of this page
 * alone and everything else derives from it, so `hasMore` is always false. Clients page until a short page returns.
 */
export function pageOfUncounted<T>(rows: readonly T[], request: PageRequest): Page<T> {
  return pageOf(rows, rows.length, request);
}
