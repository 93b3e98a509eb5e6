import fc from 'fast-check';
import { pageOf, pageOfUncounted, type Page, type Pagination, wholeSet } from './page';
import { type PageRequest, parsePageRequest } from './page-request';

const rowsOf = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** A list as a store would answer it. */
function list(rows: readonly number[], request: PageRequest): Page<number> {
  return pageOf(rows.slice(request.offset, request.offset + request.limit), rows.length, request);
}

/** The block as the rules tell it, found by counting rows and pages one by one. */
function oracle(total: number, { limit, offset }: PageRequest): Pagination {
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
  ])('of %d rows, asked for %j: %j', (total, request, expected) => {
    expect(list(rowsOf(total), request).pagination).toEqual({
      total,
      limit: request.limit,
      offset: request.offset,
      pageSize: request.limit,
      ...expected,
    });
  });

  it('has the rows in data and exactly the seven fields in pagination (rule 4)', () => {
    const page = list(rowsOf(9), { limit: 4, offset: 4 });
    expect(Object.keys(page)).toEqual(['data', 'pagination']);
    expect(page.data).toEqual([4, 5, 6, 7]);
    expect(Object.keys(page.pagination).sort()).toEqual(
      ['hasMore', 'limit', 'offset', 'page', 'pageSize', 'total', 'totalPages'].sort(),
    );
  });

  it('is described as the rules tell', () => {
    fc.assert(
      fc.property(fc.nat({ max: 1_000 }), requests, (total, request) => {
        expect(list(rowsOf(total), request).pagination).toEqual(oracle(total, request));
      }),
      { numRuns: 5_000 },
    );
  });

  it('names the page exactly at the furthest offsets too', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), fc.nat({ max: 1_000 }), (limit, back) => {
        const offset = Number.MAX_SAFE_INTEGER - back;
        const { page, hasMore } = pageOf([], 10, { limit, offset }).pagination;
        expect(BigInt(page)).toBe(BigInt(offset) / BigInt(limit) + 1n);
        expect(hasMore).toBe(false);
      }),
    );
  });

  it('ends the walk at the last window even when its rows vanished after they were counted', () => {
    expect(pageOf([], 10, { limit: 3, offset: 9 }).pagination.hasMore).toBe(false);
    expect(pageOf([0, 1], 10, { limit: 3, offset: 0 }).pagination.hasMore).toBe(true);
  });
});

describe('walking a list', () => {
  const sizes = fc.integer({ min: 1, max: 200 });
  const total = fc.nat({ max: 700 });

  /** Asks for window after window until told that no more follows; the limit stops a walk that would not end. */
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

  it('in windows of changing size meets each row once, in order', () => {
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

  it('repeats a row when one is added before the window: offsets are positions (rule 8)', () => {
    const rows = rowsOf(4);
    const first = list(rows, { limit: 2, offset: 0 });
    const second = list([-1, ...rows], { limit: 2, offset: 2 });
    expect([...first.data, ...second.data]).toEqual([0, 1, 1, 2]);
  });
});

describe('a list that returns the whole set (rule 6)', () => {
  it('is one page as large as the set', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000 }), (total) => {
        const rows = rowsOf(total);
        expect(wholeSet(rows)).toEqual({
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

  it('is page 1 of 0 when it is empty (decisions §12)', () => {
    expect(wholeSet([])).toEqual({
      data: [],
      pagination: { total: 0, limit: 0, offset: 0, hasMore: false, page: 1, pageSize: 0, totalPages: 0 },
    });
  });
});

describe('a list that is not counted (rule 7)', () => {
  it('counts the rows of its page alone, and never says that more follows', () => {
    fc.assert(
      fc.property(fc.nat({ max: 1_000 }), requests, (count, request) => {
        const rows = rowsOf(count).slice(request.offset, request.offset + request.limit);
        const { data, pagination } = pageOfUncounted(rows, request);
        expect(data).toEqual(rows);
        expect(pagination).toEqual(oracle(rows.length, request));
        expect(pagination.hasMore).toBe(false);
      }),
    );
  });

  it('is walked whole by paging until a short page returns', () => {
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
