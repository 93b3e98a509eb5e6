import { createTestDatabase, type TestDatabase } from '@counterfoil/test-harness';
import { INSTALLATION_TABLES } from './installation-tables';
import { KEYS, REFERENCES, type Unsharded, WITH_OPTIONAL_COMPANY, WITHOUT_COMPANY } from './unsharded-keys';

interface Table {
  readonly name: string;
  /** Whether the company of a row may be null; null without such a column. */
  readonly optional: boolean | null;
}

interface Key {
  readonly table: string;
  readonly columns: readonly string[];
}

interface Reference extends Key {
  readonly to: string;
  readonly toColumns: readonly string[];
}

const TABLES = `select c.relname as name, not a.attnotnull as optional
   from pg_class c left join pg_attribute a on a.attrelid = c.oid and a.attname = 'company_id' and not a.attisdropped
  where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace`;

/** Unique constraints are unique indexes as well. */
const UNIQUE = `select c.relname as table, columns.names as columns
   from pg_index i join pg_class c on c.oid = i.indrelid
  cross join lateral (
    select array_agg(a.attname::text order by k.place) as names
      from unnest(i.indkey::int2[]) with ordinality as k (number, place)
      join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number where k.place <= i.indnkeyatts) columns
  where i.indisunique and c.relnamespace = 'public'::regnamespace`;

const namesOf = (relation: string, numbers: string): string =>
  `(select array_agg(a.attname::text order by k.place) from unnest(${numbers}) with ordinality as k (number, place)
      join pg_attribute a on a.attrelid = ${relation} and a.attnum = k.number)`;
const FOREIGN = `select conrelid::regclass::text as table, ${namesOf('conrelid', 'conkey')} as columns,
        confrelid::regclass::text as to, ${namesOf('confrelid', 'confkey')} as "toColumns"
   from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`;

/** The column by which a table is sharded. A company is the row of `companies` itself. */
const shardingColumn = (table: string): string => (table === 'companies' ? 'id' : 'company_id');
const isLocal = ({ table }: Key): boolean => table in INSTALLATION_TABLES;
const namesCompany = ({ table, columns }: Key): boolean => columns.includes(shardingColumn(table));
const staysInCompany = ({ table, columns, to, toColumns }: Reference): boolean =>
  columns.some((column, at) => column === shardingColumn(table) && toColumns[at] === shardingColumn(to));

const listed = (lists: readonly Unsharded[]): string[] => lists.flatMap((list) => list.of).sort();
const described = ({ table, columns }: Key): string => `${table} (${columns.join(', ')})`;

/** A list that names too much fails as well, so that it shrinks with each step. */
describe('for a PostgreSQL that is sharded by company', () => {
  let database: TestDatabase;
  let tables: readonly Table[];

  beforeAll(async () => {
    database = await createTestDatabase();
    tables = await database.query<Table & { readonly [column: string]: unknown }>(TABLES);
  });
  afterAll(() => database.drop());

  it('every table has a company, or is listed with the reason', () => {
    const without = tables
      .filter(({ name, optional }) => optional === null && name !== 'companies')
      .map(({ name }) => name);
    expect(without.sort()).toEqual([...Object.keys(INSTALLATION_TABLES), ...listed(WITHOUT_COMPANY)].sort());
  });

  it('every company of a row is required, or the table is listed', () => {
    const optional = tables.filter((table) => table.optional === true).map(({ name }) => name);
    expect(optional.sort()).toEqual(listed(WITH_OPTIONAL_COMPANY));
  });

  it('every primary and unique key includes the company, or is listed', async () => {
    const keys = await database.query<Key & { readonly [column: string]: unknown }>(UNIQUE);
    const unsharded = keys.filter((key) => !isLocal(key) && !namesCompany(key)).map(described);
    expect(keys.length - unsharded.length).toBeGreaterThan(20);
    expect(unsharded.sort()).toEqual(listed(KEYS));
  });

  it('every foreign key compares the company, or is listed', async () => {
    const references = await database.query<Reference & { readonly [column: string]: unknown }>(FOREIGN);
    const unsharded = references
      .filter((reference) => !staysInCompany(reference))
      .map((reference) => `${described(reference)} -> ${reference.to}`);
    expect(references.length - unsharded.length).toBeGreaterThan(40);
    expect(unsharded.sort()).toEqual(listed(REFERENCES));
  });
});
