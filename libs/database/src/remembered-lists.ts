import { Batches, sharedByCallers } from '@counterfoil/kernel';
import { type Page, pageOf, type PageRequest } from '@counterfoil/pagination';
import { type KnownList, KnownLists, type NumberedChange } from './known-lists';
import type { Sql, Statements } from './sql';

/** A snapshot for those who found a list changed: the next begins when it has ended, or has taken this long. */
const SNAPSHOT_PATIENCE_MS = 5_000;

export type Statement = readonly [sql: string, parameters: readonly unknown[]];

/** A list of a company, whose changes that could concern it are numbered in the order of their commits. */
export interface RememberedList {
  /** Tells it from every other. */
  readonly name: string;
  /** The beginning of the list and its total. Answers one row: `epoch`, `changeNumber`, `total`, `ids` with commas between. */
  look(): Statement;
  /** The ids of a page of the list, of which `total` is known. Answers a row with `id` each. */
  walk(total: number, page: PageRequest): Statement;
}

/** Rows, and the company's last change that they are of. */
export interface FoundRows<Row> extends NumberedChange {
  /** In the order of the ids, without those that are not there any more. */
  readonly rows: readonly Row[];
}

/** Reads rows by their ids, together with the company's last change and its epoch: in one statement. */
export type FindRows<List, Row> = (
  statements: Statements,
  list: List,
  ids: readonly number[],
) => Promise<FoundRows<Row>>;

interface AskedPage<List> {
  readonly list: List;
  readonly page: PageRequest;
}

/**
 * Pages of lists whose total and beginning are remembered until something changes, so that a page costs no more than its
 * rows. Rows and total are of one moment all the same: the statement that reads the rows reads the number of the last
 * change too, and where that is another, the list is looked at again.
 */
export class RememberedLists<List extends RememberedList, Row> {
  private readonly known = new KnownLists();
  /** By list, while somebody looks at it again. */
  private readonly lookingAgain = new Map<string, Batches<AskedPage<List>, Page<Row>>>();

  constructor(
    private readonly sql: Sql,
    private readonly find: FindRows<List, Row>,
  ) {}

  async page(list: List, page: PageRequest): Promise<Page<Row>> {
    const asked = { list, page };
    const known = await this.known.of(list.name, () => sharedByCallers(() => look(this.sql, list)));
    const { found, isWhole } = await this.rowsOf(this.sql, asked, known);
    // Whatever was read before the rows, from memory or from the database, is of the same change as they are. A row that
    // is missing was removed by hand, which no change tells of.
    const isCurrent = isWhole && isSameChange(found, known);
    return isCurrent ? pageOf(found.rows, known.total, page) : this.lookAgain(asked);
  }

  /** Look and pages in one snapshot, for all who found the list changed meanwhile: looking at it is what takes time. */
  private lookAgain(asked: AskedPage<List>): Promise<Page<Row>> {
    const { name } = asked.list;
    let looking = this.lookingAgain.get(name);
    if (!looking) {
      looking = new Batches(
        (pages) => this.snapshot(pages),
        SNAPSHOT_PATIENCE_MS,
        () => this.lookingAgain.delete(name),
      );
      this.lookingAgain.set(name, looking);
    }
    return looking.ask(asked);
  }

  private snapshot(pages: readonly AskedPage<List>[]): Promise<Page<Row>[]> {
    return this.sql.snapshot(async (statements) => {
      const [first] = pages;
      if (!first) return [];
      const now = await this.known.learn(first.list.name, look(statements, first.list));
      const answers: Page<Row>[] = [];
      for (const asked of pages) {
        const { found } = await this.rowsOf(statements, asked, now);
        answers.push(pageOf(found.rows, now.total, asked.page));
      }
      return answers;
    });
  }

  private async rowsOf(
    statements: Statements,
    { list, page }: AskedPage<List>,
    known: KnownList,
  ): Promise<{ readonly found: FoundRows<Row>; readonly isWhole: boolean }> {
    const ids = await idsOf(statements, { list, page }, known);
    const found = await this.find(statements, list, ids);
    return { found, isWhole: found.rows.length === ids.length };
  }
}

function isSameChange(one: NumberedChange, other: NumberedChange): boolean {
  return one.changeNumber === other.changeNumber && one.epoch === other.epoch;
}

async function look(statements: Statements, list: RememberedList): Promise<KnownList> {
  const [looked] = await statements.rows<Omit<KnownList, 'ids'> & { readonly ids: string }>(...list.look());
  if (!looked) throw new Error('looking at a list returned no row');
  return { ...looked, ids: looked.ids === '' ? [] : looked.ids.split(',').map(Number) };
}

async function idsOf(
  statements: Statements,
  { list, page }: AskedPage<RememberedList>,
  known: KnownList,
): Promise<readonly number[]> {
  const end = Math.min(page.offset + page.limit, known.total);
  if (end <= known.ids.length) return known.ids.slice(page.offset, end);
  const found = await statements.rows<{ id: number }>(...list.walk(known.total, page));
  return found.map(({ id }) => id);
}
