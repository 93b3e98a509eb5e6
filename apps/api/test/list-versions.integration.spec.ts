import type { TextSearch } from '@counterfoil/lists';
import { createTestDatabase, type TestDatabase } from '@counterfoil/test-harness';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AnyList, declaredLists } from './declared-lists';

/** Columns that never change once a row is written. */
const CONSTANT = new Set(['id', 'company_id']);
/** Tables whose rows are written once. A cancellation of one changes the number of rows, so it is counted in any case. */
const WRITTEN_ONCE = new Set(['supplier_invoices']);
/** The column of a union that tells its parts apart. */
const OF_UNIONS = new Set(['side']);
/** A text whose search compares columns, instead of looking it up. */
const COMPARED: Parameters<TextSearch>[0] = {
  term: () => "''",
  pattern: () => "''",
  isLookedUp: false,
  isGram: false,
};

/** The columns that a list filters, searches or sorts by. */
function columnsOf({ scope, filters, sorts }: AnyList): Set<string> {
  const conditions = Object.values(filters).map((filter) =>
    typeof filter === 'string' ? filter : (filter(COMPARED).where ?? ''),
  );
  const texts = [scope, ...conditions, ...Object.values(sorts).flat()];
  return new Set(texts.flatMap((text) => [...text.matchAll(/\b\w+\.(\w+)/g)].map(([, column]) => column!)));
}

interface Column {
  readonly column: string;
  readonly source: string;
  readonly triggers: string;
}

/** Triggers call the row before a change `o`, and the one after it `n`. */
const isCompared = (column: string, triggers: string): boolean =>
  CONSTANT.has(column) || ['o', 'n'].every((row) => new RegExp(`\\b${row}\\.${column}\\b`).test(triggers));

const tablesOf = ({ from }: AnyList): string[] =>
  [...` from ${from}`.matchAll(/\bfrom (\w+)/g)].map(([, table]) => table!);

/**
 * A list that is cached is read again when its version changes. Triggers change it, so they must compare each column.
 */
describe('the version of a cached list', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  /** The columns of a table, with the columns that they derive from and the source of its triggers for updates. */
  const describeColumns = (table: string): Promise<Column[]> =>
    database.query<Column>(
      `select a.attname as column, coalesce(pg_get_expr(d.adbin, d.adrelid), a.attname) as source,
              (select coalesce(string_agg(p.prosrc, ' '), '')
                 from pg_trigger t join pg_proc p on p.oid = t.tgfoid
                where t.tgrelid = a.attrelid and t.tgtype & 16 <> 0) as triggers
         from pg_attribute a
         left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum and a.attgenerated <> ''
        where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped`,
      [table],
    );

  /** The columns of a list that no trigger for updates compares, in each of its tables. */
  async function uncompared(list: AnyList): Promise<string[]> {
    const wanted = columnsOf(list);
    const unknown = new Set([...wanted].filter((column) => !OF_UNIONS.has(column)));
    const found: string[] = [];
    for (const table of tablesOf(list)) {
      const columns = await describeColumns(table);
      const all = new Set(columns.map(({ column }) => column));
      const listed = columns.filter(({ column }) => wanted.has(column));
      for (const { column } of listed) unknown.delete(column);
      if (WRITTEN_ONCE.has(table)) continue;
      const missed = listed.filter(({ source, triggers }) => {
        const sources = [...source.matchAll(/\w+/g)].map(([word]) => word).filter((word) => all.has(word));
        return !sources.every((name) => isCompared(name, triggers));
      });
      found.push(...missed.map(({ column }) => `${table}.${column}`));
    }
    return [...found, ...[...unknown].map((column) => `${column} is in none of the tables`)];
  }

  const cached = declaredLists().filter(({ version }) => version !== undefined);

  it('exists for the lists of parties and expenses', () => {
    expect(cached.map(({ name }) => name).sort()).toEqual(['clients', 'costs', 'expenses', 'vendors']);
  });

  it.each(cached.map((list) => [list.name, list] as const))(
    'changes with each column that %s are filtered, searched or sorted by',
    async (_, list) => {
      expect(columnsOf(list).size).toBeGreaterThan(3);
      expect(await uncompared(list)).toEqual([]);
    },
  );

  it('is found not to change with a column that a trigger reads but does not compare', async () => {
    const [trigger] = await database.query<{ source: string }>(
      `select prosrc as source from pg_proc where proname = 'count_edited_entities'`,
    );
    const source = trigger!.source.replace(', o.has_contacts', '').replace(', n.has_contacts', '');
    expect(source).toContain('has_contacts');
    await database.query(
      `create or replace function count_edited_entities() returns trigger language plpgsql as $$${source}$$`,
    );
    const vendors = cached.find(({ name }) => name === 'vendors')!;
    expect(await uncompared(vendors)).toEqual(['entities.has_contacts']);
  });
});
