import type { Sql, Statements } from '@counterfoil/database';
import { Batches, sharedByCallers } from '@counterfoil/kernel';
import { type Page, pageOf, type PageRequest } from '@counterfoil/pagination';
import { KnownLists } from './known-lists';
import type { ListSql } from './list-sql';

/** The next snapshot of a list that has changed begins when the one before has ended, or has taken this long. */
const SNAPSHOT_PATIENCE_MS = 5_000;

/** The content of a list at one version. */
interface KnownList {
  readonly version: string;
  readonly total: number;
  /** Its first ids, in its order. */
  readonly ids: readonly number[];
}

type CachedList = Pick<ListSql<object, never>, 'name' | 'scope' | 'look' | 'walk' | 'byIds'>;
type ListRow = { readonly id: unknown };

/**
 * Reads pages of lists whose total and first ids are kept in memory, so that a page costs no more than its rows. The
 * statement that reads the rows reads the version of the list too: if it is that of the cache, rows, order and total are
 * of one moment. If not, the list is read again in one snapshot.
 */
export class CachedLists {
  private readonly known = new KnownLists<KnownList>();
  /** By list, while somebody reads it again. */
  private readonly snapshots = new Map<string, Batches<PageRequest, Page<ListRow>>>();

  constructor(private readonly sql: Sql) {}

  async page<Row extends ListRow>(list: CachedList, page: PageRequest): Promise<Page<Row>> {
    const known = await this.known.of(list.name, () => sharedByCallers(() => look(this.sql, list)));
    const { rows, isCurrent } = await rowsOf(this.sql, list, known, page);
    const found = isCurrent ? pageOf(rows, known.total, page) : await this.again(list, page);
    return found as Page<Row>;
  }

  /** In one snapshot for all who found the list changed meanwhile, since reading its total and order takes longest. */
  private again(list: CachedList, page: PageRequest): Promise<Page<ListRow>> {
    const { name } = list;
    const sharing = this.snapshots.get(name);
    if (sharing) return sharing.ask(page);
    const snapshots = new Batches<PageRequest, Page<ListRow>>(
      (pages) => this.snapshot(list, pages),
      SNAPSHOT_PATIENCE_MS,
      () => this.snapshots.delete(name),
    );
    this.snapshots.set(name, snapshots);
    return snapshots.ask(page);
  }

  private snapshot(list: CachedList, pages: readonly PageRequest[]): Promise<Page<ListRow>[]> {
    return this.sql.snapshot(async (statements) => {
      const now = await this.known.learn(list.name, look(statements, list));
      const answers: Page<ListRow>[] = [];
      for (const page of pages) {
        const { rows } = await rowsOf(statements, list, now, page);
        answers.push(pageOf(rows, now.total, page));
      }
      return answers;
    });
  }
}

async function look(statements: Statements, list: CachedList): Promise<KnownList> {
  const [looked] = await statements.rows<Omit<KnownList, 'ids'> & { readonly ids: string }>(...list.look());
  if (!looked) throw new Error('the statement answers one row');
  return { ...looked, ids: looked.ids === '' ? [] : looked.ids.split(',').map(Number) };
}

/** A row that is missing was removed by hand, which no version tells of. */
async function rowsOf(statements: Statements, list: CachedList, known: KnownList, page: PageRequest) {
  const ids = await idsOf(statements, list, known, page);
  const found = await statements.prepared<ListRow & { version: string }>(list.byIds, [list.scope, ids]);
  const rows = found.filter(({ id }) => id !== null);
  return { rows, isCurrent: found[0]?.version === known.version && rows.length === ids.length };
}

async function idsOf(
  statements: Statements,
  list: CachedList,
  known: KnownList,
  page: PageRequest,
): Promise<readonly number[]> {
  const end = Math.min(page.offset + page.limit, known.total);
  if (end <= known.ids.length) return known.ids.slice(page.offset, end);
  const found = await statements.rows<{ id: number }>(...list.walk(known.total, page));
  return found.map(({ id }) => id);
}
