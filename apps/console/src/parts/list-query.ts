import { useNavigate, useSearch } from '@tanstack/react-router';

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
  const navigate = useNavigate();
  const offset = Number(search['offset']);
  return {
    offset: Number.isSafeInteger(offset) && offset > 0 ? offset : 0,
    sortBy: typeof search['sortBy'] === 'string' ? search['sortBy'] : undefined,
    sortOrder: search['sortOrder'] === 'desc' ? 'desc' : search['sortOrder'] === 'asc' ? 'asc' : undefined,
    search,
    change: (part) => void navigate({ to: '.', search: (all: Search) => ({ ...all, ...part }) }),
    keepOffset: (next) =>
      void navigate({
        ...{ to: '.', replace: true, resetScroll: false },
        search: (all: Search) => ({ ...all, offset: next || undefined }),
      }),
  };
}
