import fc from 'fast-check';
import { pageOf, pageOfUncounted, type Page, type Pagination, unpagedList } from './page';
import { type PageRequest, parsePageRequest } from './page-request';

const rowsOf = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** A list as a store would return it. */
function list(rows: readonly number[], request: PageRequest): Page<number> {
  return pageOf(rows.slice(request.offset, request.offset + request.limit), rows.length, request);
}

/** The expected block, computed by counting rows and pages one by one. */
function expectedPagination(total: number, { limit, offset }: PageRequest): Pagination {
  let totalPages = 0;
  for (let row = 0; row < total; row += limit) totalPages += 1;
  let page = 1;
  for (let start = limit; start <= offset; start += limit) page += 1;
  const after = rowsOf(total).slice(offset + limit);
  return { total, limit, offset, hasMore: after.length > 0, page, pageSize: limit, totalPages };
}

const requests = fc.record({ limit: fc.integer({ min: 1, max: 200 }), offset: fc.nat({ max: 1_000 }) });

describe('a page of a counted list', () => {
  it.each([
    [0, { limit: 50, offset: 0 }, { hasMore: false, page: 1, totalPages: 0 }],
    [50, { limit: 50, offset: 0 }, { hasMore: false, page: 1, totalPages: 1 }],
    [51, { limit: 50, offset: 0 }, { hasMore: true, page: 1, totalPages: 2 }],
    [51, { limit: 50, offset: 50 }, { hasMore: false, page: 2, totalPages: 2 }],
    [51, { limit: 50, offset: 49 }, { hasMore: false, page: 1, totalPages: 2 }],
    [51, { limit: 50, offset: 500 }, { hasMore: false, page: 11, totalPages: 2 }],
    [9, { limit: 4, offset: 3 }, { hasMore: true, page: 1, totalPages: 3 }],
  ])('of %d rows, for %j: %j', (total, request, expected) => {
    expect(list(rowsOf(total), request).pagination).toEqual({
      total,
      limit: request.limit,
      offset: request.offset,
      pageSize: request.limit,
      ...expected,
    });
  });

  it('contains the rows in data and exactly seven fields in pagination (contract §2.3)', () => {
    const page = list(rowsOf(9), { limit: 4, offset: 4 });
    expect(Object.keys(page)).toEqual(['data', 'pagination']);
    expect(page.data).toEqual([4, 5, 6, 7]);
    expect(Object.keys(page.pagination).sort()).toEqual(
      ['hasMore', 'limit', 'offset', 'page', 'pageSize', 'total', 'totalPages'].sort(),
    );
  });

  it('follows the rules for any total and page', () => {
    fc.assert(
      fc.property(fc.nat({ max: 1_000 }), requests, (total, request) => {
        expect(list(rowsOf(total), request).pagination).toEqual(expectedPagination(total, request));
      }),
      { numRuns: 5_000 },
    );
  });

  it('has an exact page number at the largest offsets, too', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), fc.nat({ max: 1_000 }), (limit, back) => {
        const offset = Number.MAX_SAFE_INTEGER - back;
        const { page, hasMore } = pageOf([], 10, { limit, offset }).pagination;
        expect(BigInt(page)).toBe(BigInt(offset) / BigInt(limit) + 1n);
        expect(hasMore).toBe(false);
      }),
    );
  });

  it('ends paging at the last page even if its rows were deleted after they were counted', () => {
    expect(pageOf([], 10, { limit: 3, offset: 9 }).pagination.hasMore).toBe(false);
    expect(pageOf([0, 1], 10, { limit: 3, offset: 0 }).pagination.hasMore).toBe(true);
  });
});

describe('paging through a list', () => {
  const sizes = fc.integer({ min: 1, max: 200 });
  const total = fc.nat({ max: 700 });

  /** Reads page after page until none follows. The limit stops a loop that would not end. */
  function walk(rows: readonly number[], query: (step: number) => Record<string, string>): Page<number>[] {
    const pages: Page<number>[] = [];
    for (let step = 0; step <= rows.length; step += 1) {
      const page = list(rows, parsePageRequest(query(step)));
      pages.push(page);
      if (!page.pagination.hasMore) return pages;
    }
    throw new Error('the walk did not end');
  }

  function expectEachRowOnce(rows: readonly number[], pages: readonly Page<number>[]): void {
    expect(pages.flatMap((page) => page.data)).toEqual(rows);
    expect(pages.map((page) => page.pagination.page)).toEqual(pages.map((_, index) => index + 1));
    for (const page of pages) expect(page.pagination.totalPages).toBe(rows.length === 0 ? 0 : pages.length);
  }

  it.each(['limit', 'pageSize'])(
    'by offset with %s meets each row once, in order, and stops at the last',
    (name) => {
      fc.assert(
        fc.property(total, sizes, (count, size) => {
          const rows = rowsOf(count);
          expectEachRowOnce(
            rows,
            walk(rows, (step) => ({ [name]: `${size}`, offset: `${step * size}` })),
          );
        }),
      );
    },
  );

  it.each(['limit', 'pageSize'])(
    'by page with %s meets each row once, in order, and stops at the last',
    (name) => {
      fc.assert(
        fc.property(total, sizes, (count, size) => {
          const rows = rowsOf(count);
          expectEachRowOnce(
            rows,
            walk(rows, (step) => ({ [name]: `${size}`, page: `${step + 1}` })),
          );
        }),
      );
    },
  );

  it('with changing page sizes visits each row once, in order', () => {
    fc.assert(
      fc.property(total, fc.infiniteStream(sizes), (count, stream) => {
        const rows = rowsOf(count);
        let offset = 0;
        const pages = walk(rows, () => {
          const limit = Number(stream.next().value);
          const query = { limit: `${limit}`, offset: `${offset}` };
          offset += limit;
          return query;
        });
        expect(pages.flatMap((page) => page.data)).toEqual(rows);
      }),
    );
  });

  it('repeats a row that was shifted by an insertion, because offsets are positions (contract §2.8)', () => {
    const rows = rowsOf(4);
    const first = list(rows, { limit: 2, offset: 0 });
    const second = list([-1, ...rows], { limit: 2, offset: 2 });
    expect([...first.data, ...second.data]).toEqual([0, 1, 1, 2]);
  });
});

describe('an unpaged list (contract §2.6)', () => {
  it('is one page with all rows', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000 }), (total) => {
        const rows = rowsOf(total);
        expect(unpagedList(rows)).toEqual({
          data: rows,
          pagination: {
            total,
            limit: total,
            offset: 0,
            hasMore: false,
            page: 1,
            pageSize: total,
            totalPages: 1,
          },
        });
      }),
    );
  });

  it('is page 1 of 0 when it is empty (contract §2.6)', () => {
    expect(unpagedList([])).toEqual({
      data: [],
      pagination: { total: 0, limit: 0, offset: 0, hasMore: false, page: 1, pageSize: 0, totalPages: 0 },
    });
  });
});

describe('an uncounted list (contract §2.7)', () => {
  it('counts the rows of its page only, and never has more', () => {
    fc.assert(
      fc.property(fc.nat({ max: 1_000 }), requests, (count, request) => {
        const rows = rowsOf(count).slice(request.offset, request.offset + request.limit);
        const { data, pagination } = pageOfUncounted(rows, request);
        expect(data).toEqual(rows);
        expect(pagination).toEqual(expectedPagination(rows.length, request));
        expect(pagination.hasMore).toBe(false);
      }),
    );
  });

  it('is complete when a short page arrives', () => {
    fc.assert(
      fc.property(fc.nat({ max: 700 }), fc.integer({ min: 1, max: 200 }), (count, limit) => {
        const rows = rowsOf(count);
        const seen: number[] = [];
        for (let offset = 0; offset <= count; offset += limit) {
          const page = pageOfUncounted(rows.slice(offset, offset + limit), { limit, offset });
          seen.push(...page.data);
          if (page.pagination.total < limit) break;
        }
        expect(seen).toEqual(rows);
      }),
    );
  });
});
