import type { Sql, Statements } from '@counterfoil/database';
import { RequestCoalescer, sharedByCallers } from '@counterfoil/kernel';
import { type Page, pageOf, type PageRequest } from '@counterfoil/pagination';
import { ListCache } from './list-cache';
import { type ListPosition, ListPositions, sizeOf } from './list-positions';
import type { ListSql, WalkedRow } from './list-sql';

/** The next snapshot of a changed list starts when the current one has ended, or after this time. */
const SNAPSHOT_PATIENCE_MS = 5_000;

/** The content of a list at one version. */
interface ListContent {
  readonly version: string;
  readonly total: number;
  /** The first ids, in the order of the list. */
  readonly ids: readonly number[];
  /** Rows behind the first ids. */
  readonly positions: ListPositions;
}

type CachedList = Pick<
  ListSql<object, never>,
  'cacheKey' | 'scope' | 'look' | 'walk' | 'hasPositions' | 'keysOf' | 'byIds'
>;
type ListRow = { readonly id: unknown };

/**
 * Reads pages of lists whose total and first ids are cached, so that a page costs only its rows. The
 * statement that reads the rows also reads the version of the list. If it equals the cached version, rows,
 * order and total are consistent. Otherwise the list is read again in one snapshot.
 */
export class CachedListReader {
  private readonly known = new ListCache<ListContent>();
  /** The rereads under way, by list. */
  private readonly snapshots = new Map<string, RequestCoalescer<PageRequest, Page<ListRow>>>();

  constructor(private readonly sql: Sql) {}

  async page<Row extends ListRow>(list: CachedList, page: PageRequest): Promise<Page<Row>> {
    const known = await this.known.get(list.cacheKey, () =>
      sharedByCallers(() => this.sql.read((statements) => look(statements, list))),
    );
    const { rows, isCurrent } = await this.sql.read((statements) => rowsOf(statements, list, known, page));
    const found = isCurrent ? pageOf(rows, known.total, page) : await this.again(list, page);
    return found as Page<Row>;
  }

  /**
   * Reads the list again in one snapshot, shared by all callers that found it changed, because the total and
   * the order cost most.
   */
  private again(list: CachedList, page: PageRequest): Promise<Page<ListRow>> {
    const { cacheKey } = list;
    const sharing = this.snapshots.get(cacheKey);
    if (sharing) return sharing.submit(page);
    const snapshots = new RequestCoalescer<PageRequest, Page<ListRow>>(
      (pages) => this.snapshot(list, pages),
      SNAPSHOT_PATIENCE_MS,
      () => this.snapshots.delete(cacheKey),
    );
    this.snapshots.set(cacheKey, snapshots);
    return snapshots.submit(page);
  }

  private snapshot(list: CachedList, pages: readonly PageRequest[]): Promise<Page<ListRow>[]> {
    return this.sql.snapshot(async (statements) => {
      const now = await this.known.learn(list.cacheKey, look(statements, list));
      const answers: Page<ListRow>[] = [];
      for (const page of pages) {
        const { rows } = await rowsOf(statements, list, now, page);
        answers.push(pageOf(rows, now.total, page));
      }
      return answers;
    });
  }
}

async function look(statements: Statements, list: CachedList): Promise<ListContent> {
  const [looked] = await statements.rows<Looked>(...list.look());
  if (!looked) throw new Error('the statement must return one row');
  const ids = looked.ids === '' ? [] : looked.ids.split(',').map(Number);
  return { ...looked, ids, positions: new ListPositions(looked.total) };
}

type Looked = Pick<ListContent, 'version' | 'total'> & { readonly ids: string };

/** A row is missing if somebody deleted it by hand, which does not change the version. */
async function rowsOf(statements: Statements, list: CachedList, known: ListContent, page: PageRequest) {
  const { ids, keys } = await placesOf(statements, list, known, page);
  const found = await statements.rows(list.byIds, { scope: list.scope, ids });
  const rows = found.filter(({ id }) => id !== null);
  const isCurrent = found[0]?.version === known.version && rows.length === ids.length;
  // Only now is it known that the page was read at the version of the cached content.
  if (isCurrent && keys) known.positions.remember(page.offset, keys);
  return { rows, isCurrent };
}

interface Places {
  readonly ids: readonly number[];
  /** The keys of the first row, unless it is among the cached ids. */
  readonly keys?: readonly (string | null)[];
}

async function placesOf(
  statements: Statements,
  list: CachedList,
  known: ListContent,
  page: PageRequest,
): Promise<Places> {
  const end = Math.min(page.offset + page.limit, known.total);
  if (end <= known.ids.length) return { ids: known.ids.slice(page.offset, end) };
  const walk = (position?: ListPosition) =>
    statements.rows<WalkedRow>(...list.walk(known.total, page, position));
  const near = known.positions.nearest(page);
  let walked = await walk(near);
  if (near && walked.length < sizeOf(page, known.total)) {
    known.positions.distrust();
    walked = await walk();
  }
  const [first] = walked;
  const ids = walked.map(({ id }) => id);
  return first && list.hasPositions ? { ids, keys: list.keysOf(first) } : { ids };
}
