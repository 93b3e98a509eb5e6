import { deepEqual, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useIsHere } from './is-here.ts';

/** Rows of one page. */
export const PAGE_SIZE = 50;

type Search = Readonly<Record<string, string | number | boolean | undefined>>;

interface ListQuery {
  readonly offset: number;
  readonly sortBy: string | undefined;
  readonly sortOrder: 'asc' | 'desc' | undefined;
  /** Everything in the address, for filters of the screen. */
  readonly search: Search;
  /** Changes parts of the address; undefined removes one. Returns whether it did. */
  readonly change: (part: Search) => boolean;
  /**
   * Keeps the position in the list, without an entry in the history. Returns whether it did: not if the address has
   * other filters or another order by now.
   */
  readonly keepOffset: (offset: number) => boolean;
}

/** The page, order and filters of a list, which the address keeps. Texts in it are the user's: the API checks them. */
export function useListQuery(): ListQuery {
  const search: Search = useSearch({ strict: false });
  const keep = useKeptSearch();
  const router = useRouter();
  const offset = Number(search['offset']);
  return {
    offset: Number.isSafeInteger(offset) && offset > 0 ? offset : 0,
    sortBy: typeof search['sortBy'] === 'string' ? search['sortBy'] : undefined,
    sortOrder: search['sortOrder'] === 'desc' ? 'desc' : search['sortOrder'] === 'asc' ? 'asc' : undefined,
    search,
    change: keep,
    keepOffset: (next) =>
      isSameList(search, router.latestLocation.search as Search) &&
      keep({ offset: next || undefined }, { replace: true, resetScroll: false }),
  };
}

/**
 * Returns a function that changes the address of the page. A page stays for a while after another one was asked for. What
 * it keeps then, after a pause, would become part of the address of the other one, so the function does nothing.
 */
function useKeptSearch() {
  const navigate = useNavigate();
  const isHere = useIsHere();
  return (part: Search, options: { readonly replace?: boolean; readonly resetScroll?: boolean } = {}) => {
    if (!isHere()) return false;
    void navigate({ ...options, to: '.', search: (all: Search) => ({ ...all, ...part }) });
    return true;
  };
}

/** Whether two addresses of a page have the same filters and order. */
const isSameList = (one: Search, other: Search): boolean =>
  deepEqual({ ...one, offset: undefined }, { ...other, offset: undefined });
