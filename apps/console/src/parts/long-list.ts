import { useQueries } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { PAGE_SIZE, useListQuery } from './list-query.ts';

/** The rows around the view that are read too, so that a reader rarely meets one that is not there yet. */
const AHEAD = 25;

export interface LongPage<Row> {
  readonly data: readonly Row[];
  readonly pagination: { readonly total: number };
}

interface Window {
  readonly limit: number;
  readonly offset: number;
}

/** A list of any length, of which some pages have been read. */
export interface LongList<Row> {
  /** Says which filters and which order the rows have. */
  readonly name: string;
  /** Whether the rows are those of the list before, because the one that the address names has no answer yet. */
  readonly isOutdated: boolean;
  /** Of the answers; undefined until the first one. */
  readonly total: number | undefined;
  /** Undefined while the row is not read. */
  readonly rowAt: (index: number) => Row | undefined;
  /** Reads the pages with these rows. */
  readonly show: (from: number, to: number) => void;
  readonly error: unknown;
  readonly refetch: () => void;
}

interface Options {
  /** In milliseconds; asked with the total, for the first page. Its changes move the rows of the others, which are read then. */
  readonly refetchInterval?: (total: number | undefined) => number | false;
}

function pagesOf(from: number, to: number): readonly number[] {
  const first = Math.floor(Math.max(0, from - AHEAD) / PAGE_SIZE);
  const last = Math.floor((to + AHEAD) / PAGE_SIZE);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/**
 * Reads a list page by page, where its table is looked at. While a changed list has no answer yet, the rows of the one
 * before stay.
 *
 * @param key of the queries; it names the filters and the order
 */
export function useLongList<Row>(
  key: readonly unknown[],
  read: (window: Window) => Promise<LongPage<Row>>,
  { refetchInterval }: Options = {},
): LongList<Row> {
  const { offset } = useListQuery();
  const name = JSON.stringify(key);
  const [asked, setAsked] = useState({ name, pages: pagesOf(offset, offset) });
  const kept = useRef<Pick<LongList<Row>, 'name' | 'total' | 'rowAt'>>(undefined);
  const known = kept.current?.name === name ? kept.current.total : undefined;
  const pages = (asked.name === name ? asked.pages : pagesOf(offset, offset)).filter(
    (page) => known === undefined || page === 0 || page * PAGE_SIZE < known,
  );
  const results = useQueries({
    queries: pages.map((page) => ({
      queryKey: [...key, page],
      queryFn: async () => read({ limit: PAGE_SIZE, offset: page * PAGE_SIZE }),
      ...(page === 0 && refetchInterval && { refetchInterval: () => refetchInterval(known) }),
    })),
  });
  const answered = results.find(({ data }) => data !== undefined)?.data;
  const rowAt = (index: number) =>
    results[pages.indexOf(Math.floor(index / PAGE_SIZE))]?.data?.data[index % PAGE_SIZE];
  const others = results.filter((_, at) => refetchInterval && pages[at] !== 0);
  const isMoving = useMoving(name, results[pages.indexOf(0)]?.data, others);
  if (answered && !isMoving) kept.current = { name, total: answered.pagination.total, rowAt };
  const error = results.find((result) => result.error !== null)?.error ?? null;
  const shown = kept.current ?? { name, total: undefined, rowAt };
  // Deep pages of a list that became short have no rows; the total says so.
  return {
    ...shown,
    isOutdated: shown.name !== name,
    error,
    show: (from, to) => {
      const next = pagesOf(from, to);
      setAsked((old) =>
        old.name === name && String(old.pages) === String(next) ? old : { name, pages: next },
      );
    },
    refetch: () => results.forEach((result) => void result.refetch()),
  };
}

/**
 * Reads the other pages again when the first one has changed. Returns whether they are being read: the rows of before
 * stay meanwhile, because those that moved from one page to the next are on neither.
 */
function useMoving(
  name: string,
  first: unknown,
  others: readonly { readonly refetch: () => Promise<unknown> }[],
): boolean {
  const [settled, setSettled] = useState({ name, first });
  const isAnother = first !== undefined && settled.first !== undefined && settled.first !== first;
  const isMoving = isAnother && settled.name === name && others.length > 0;
  useEffect(() => {
    if (first === undefined) return;
    const reading = isMoving ? others.map((page) => page.refetch()) : [];
    void Promise.all(reading).then(() => setSettled({ name, first }));
  }, [name, first]);
  return isMoving;
}
