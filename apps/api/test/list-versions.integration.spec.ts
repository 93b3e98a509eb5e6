import type { TextSearch } from '@counterfoil/lists';
import { createTestDatabase, type TestDatabase } from '@counterfoil/test-harness';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AnyList, declaredLists } from './declared-lists';

/** Columns that never change once a row is written. */
const CONSTANT = new Set(['id', 'company_id']);
/** Tables whose rows are written once, but for these columns. */
const WRITTEN_ONCE: Readonly<Record<string, readonly string[]>> = { supplier_invoices: ['cancelled'] };
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
  return new Set(texts.flatMap((text) => [...text.matchAll(/\b[a-z]\.(\w+)/g)].map(([, column]) => column!)));
}

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

  /** The columns of a table that no trigger for updates compares. Generated columns count as those they derive from. */
  async function uncompared(table: string, columns: ReadonlySet<string>): Promise<string[]> {
    const rows = await database.query<{ column: string; source: string; triggers: string }>(
      `select a.attname as column, coalesce(pg_get_expr(d.adbin, d.adrelid), a.attname) as source,
              (select coalesce(string_agg(p.prosrc, ' '), '')
                 from pg_trigger t join pg_proc p on p.oid = t.tgfoid
                where t.tgrelid = a.attrelid and t.tgtype & 16 <> 0) as triggers
         from pg_attribute a
         left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum and a.attgenerated <> ''
        where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped`,
      [table],
    );
    const all = new Set(rows.map(({ column }) => column));
    const isConstant = (column: string) =>
      CONSTANT.has(column) || WRITTEN_ONCE[table]?.includes(column) === false;
    const isCompared = (column: string, triggers: string) =>
      isConstant(column) || new RegExp(`\\b${column}\\b`).test(triggers);
    return rows
      .filter(({ column }) => columns.has(column))
      .filter(({ source, triggers }) => {
        const sources = [...source.matchAll(/\w+/g)].map(([word]) => word).filter((word) => all.has(word));
        return !sources.every((column) => isCompared(column, triggers));
      })
      .map(({ column }) => `${table}.${column}`);
  }

  const cached = declaredLists().filter(({ version }) => version !== undefined);

  it('exists for the lists of parties and expenses', () => {
    expect(cached.map(({ name }) => name).sort()).toEqual(['clients', 'costs', 'expenses', 'vendors']);
  });

  it.each(cached.map((list) => [list.name, list] as const))(
    'changes with each column that %s are filtered, searched or sorted by',
    async (_, list) => {
      const columns = columnsOf(list);
      expect(columns.size).toBeGreaterThan(3);
      const missing = await Promise.all(tablesOf(list).map((table) => uncompared(table, columns)));
      expect(missing.flat()).toEqual([]);
    },
  );

  it('is found not to change with a column that no trigger compares', async () => {
    await database.query('alter table entities add column nickname text');
    await database.query(
      'alter table entities add column nickname_key text generated always as (lower(nickname)) stored',
    );
    expect(await uncompared('entities', new Set(['name_key', 'nickname_key']))).toEqual([
      'entities.nickname_key',
    ]);
  });
});
