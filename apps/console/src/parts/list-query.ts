import { useMatch, useNavigate, useRouter, useSearch } from '@tanstack/react-router';

/** Rows of one page. */
export const PAGE_SIZE = 50;

type Search = Readonly<Record<string, string | number | boolean | undefined>>;

interface ListQuery {
  readonly offset: number;
  readonly sortBy: string | undefined;
  readonly sortOrder: 'asc' | 'desc' | undefined;
  /** Everything in the address, for filters of the screen. */
  readonly search: Search;
  /** Changes parts of the address; undefined removes one. */
  readonly change: (part: Search) => void;
  /** Keeps the position in the list, without an entry in the history. */
  readonly keepOffset: (offset: number) => void;
}

/** The page, order and filters of a list, which the address keeps. Texts in it are the user's: the API checks them. */
export function useListQuery(): ListQuery {
  const search: Search = useSearch({ strict: false });
  const keep = useKeptSearch();
  const offset = Number(search['offset']);
  return {
    offset: Number.isSafeInteger(offset) && offset > 0 ? offset : 0,
    sortBy: typeof search['sortBy'] === 'string' ? search['sortBy'] : undefined,
    sortOrder: search['sortOrder'] === 'desc' ? 'desc' : search['sortOrder'] === 'asc' ? 'asc' : undefined,
    search,
    change: (part) => keep(part),
    keepOffset: (next) => keep({ offset: next || undefined }, { replace: true, resetScroll: false }),
  };
}

/**
 * Changes the address of the page. Does nothing once a link to another page was followed: the page stays until the next one
 * is loaded, and what it still keeps then, after a pause, would be part of the other address.
 */
function useKeptSearch() {
  const navigate = useNavigate();
  const router = useRouter();
  const own = useMatch({ strict: false, select: ({ pathname }) => pathname });
  return (part: Search, options: { readonly replace?: boolean; readonly resetScroll?: boolean } = {}) => {
    if (withoutSlash(router.latestLocation.pathname) !== withoutSlash(own)) return;
    void navigate({ ...options, to: '.', search: (all: Search) => ({ ...all, ...part }) });
  };
}

const withoutSlash = (path: string): string => path.replace(/\/$/, '');
