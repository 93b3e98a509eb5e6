import type { Paging, Query } from './request.ts';

/** The most that the service answers with, so that a whole list takes few calls (contract §2.1). */
const PAGE_SIZE = 200;

interface AnyPage<Row> {
  readonly data: readonly Row[];
  readonly pagination: { readonly offset: number; readonly pageSize: number; readonly hasMore: boolean };
}

/**
 * A list that is not read yet. `await` it for one page; iterate it with `for await` over the rows of all pages
 * from there on.
 *
 * Rows that are added or removed between two pages can repeat or skip others (contract §2.8). To copy
 * documents, use `documents.changes`.
 */
export class List<Row, Page> implements PromiseLike<Page>, AsyncIterable<Row> {
  #first: Promise<Page> | undefined;
  readonly #read: (query: Query) => Promise<Page>;
  readonly #query: Query;
  readonly #paging: Paging;

  constructor(read: (query: Query) => Promise<Page>, query: Query, paging: Paging) {
    this.#read = read;
    this.#query = query;
    this.#paging = paging;
  }

  /** Reads one page: that of the query, by default the first 50 rows. */
  then<One = Page, Other = never>(
    onPage?: ((page: Page) => One | PromiseLike<One>) | null,
    onError?: ((error: unknown) => Other | PromiseLike<Other>) | null,
  ): Promise<One | Other> {
    this.#first ??= this.#read(this.#query);
    return this.#first.then(onPage, onError);
  }

  /** Reads page after page, from that of the query on; by default 200 rows at a time. */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    let query: Query = this.#paging === 'whole' ? this.#query : { limit: PAGE_SIZE, ...this.#query };
    for (;;) {
      const page = await this.#read(query);
      yield page;
      const { data, pagination } = page as AnyPage<Row>;
      if (data.length === 0 || !this.#goesOn(data.length, pagination)) return;
      // Continues from the offset in the answer, because the query may have named a page instead of an offset.
      query = { ...query, page: undefined, offset: pagination.offset + data.length };
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined> {
    for await (const page of this.pages()) yield* (page as AnyPage<Row>).data;
  }

  /** Reads all rows into an array. */
  async toArray(): Promise<Row[]> {
    const rows: Row[] = [];
    for await (const row of this) rows.push(row);
    return rows;
  }

  #goesOn(rows: number, { pageSize, hasMore }: AnyPage<Row>['pagination']): boolean {
    switch (this.#paging) {
      case 'whole':
        return false;
      case 'counted':
        return hasMore;
      // Neither `total` nor `hasMore` counts beyond the page (contract §2.7).
      case 'uncounted':
        return rows >= pageSize;
    }
  }
}
