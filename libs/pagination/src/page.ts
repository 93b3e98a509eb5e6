import type { PageRequest } from './page-request';

/** The `pagination` object of every list answer (contract §2.3). */
export interface Pagination {
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  readonly hasMore: boolean;
  readonly page: number;
  readonly pageSize: number;
  readonly totalPages: number;
}

export interface Page<T> {
  readonly data: readonly T[];
  readonly pagination: Pagination;
}

/** Builds a page of a list of `total` rows. */
export function pageOf<T>(rows: readonly T[], total: number, request: PageRequest): Page<T> {
  const { limit, offset } = request;
  return {
    data: rows,
    pagination: {
      total,
      limit,
      offset,
      // Uses the position, not the number of rows received: if the last rows were deleted after counting,
      // paging still ends.
      hasMore: offset + limit < total,
      page: Math.floor(offset / limit) + 1,
      pageSize: limit,
      totalPages: Math.ceil(total / limit),
    },
  };
}

/**
 * Builds the answer of lists that ignore the requested page (contract §2.6): all rows as one page, of size 0
 * for an empty list.
 */
export function unpagedList<T>(rows: readonly T[]): Page<T> {
  return { data: rows, pagination: unpagedPagination(rows.length) };
}

export function unpagedPagination(total: number): Pagination {
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
 * Builds a page of a list that is not counted (contract §2.7): `total` is the number of rows of this page, so
 * `hasMore` is always false. Clients read pages until one is short.
 */
export function pageOfUncounted<T>(rows: readonly T[], request: PageRequest): Page<T> {
  return pageOf(rows, rows.length, request);
}
