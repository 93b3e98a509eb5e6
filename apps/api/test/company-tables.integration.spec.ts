import { Catalog } from '@counterfoil/company-data';
import { Sql } from '@counterfoil/database';
import { COMPANY_TABLES, COMPANY_TABLES_OF } from '@counterfoil/schema';
import {
  createTestDatabase,
  openTestContext,
  testConfig,
  type TestDatabase,
} from '@counterfoil/test-harness';
import { SECRET_NAME, SECRETS } from './audited-tables';
import { INSTALLATION_TABLES } from './installation-tables';
import { OWNERS } from './table-owners';

/** Exported columns whose names sound like a secret, each with the reason. */
const NO_SECRETS: Readonly<Record<string, string>> = {
  'audit_log.hash': 'chains the entries, so that a reader of the export can verify them',
  'audit_removals.hash': 'chains the entries',
  'charge_operations.idempotency_key': 'a name that the caller chose',
  'entities.ledger_entity_account_key': 'the number of an account',
  'idempotency_keys.key': 'a name that the caller chose',
  'request_log.api_key_id': 'the number of a key',
  'retainers.send': 'recipients and texts, which the audit log leaves out',
  'sessions.api_key_id': 'the number of a key',
  'recurring_payments.idempotency_key': 'a name that the caller chose',
};

interface Column {
  readonly table: string;
  readonly name: string;
}

describe('the tables of a company', () => {
  let database: TestDatabase;
  let columns: Column[];

  beforeAll(async () => {
    database = await createTestDatabase();
    columns = await database.query<Column>(
      `select c.relname as table, a.attname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
        where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped
          and a.attgenerated = ''`,
    );
  });
  afterAll(() => database.drop());

  it('are declared for export and erasure, each once, or belong to no company', () => {
    const declared = [...COMPANY_TABLES.map(({ table }) => table), ...Object.keys(INSTALLATION_TABLES)];
    expect(declared.sort()).toEqual([...new Set(columns.map(({ table }) => table))].sort());
  });

  it('that are not declared have no company', () => {
    const withCompany = columns.filter(({ name }) => name === 'company_id').map(({ table }) => table);
    expect(withCompany.filter((table) => table in INSTALLATION_TABLES)).toEqual([]);
  });

  it('are declared by their owner', () => {
    const foreign = Object.entries(COMPANY_TABLES_OF).flatMap(([lib, tables]) =>
      tables
        .filter(({ table }) => !OWNERS[lib]?.tables.includes(table))
        .map(({ table }) => `${lib} ${table}`),
    );
    expect(foreign).toEqual([]);
  });

  it('are exported without secrets', () => {
    const leftOut = new Set(
      COMPANY_TABLES.flatMap(({ table, leftOut = {} }) =>
        Object.keys(leftOut).map((name) => `${table}.${name}`),
      ),
    );
    const exported = new Set(
      COMPANY_TABLES.filter(({ notExported }) => notExported === undefined).map(({ table }) => table),
    );
    const known = Object.entries(SECRETS).flatMap(([table, names]) =>
      names.map((name) => `${table}.${name}`),
    );
    const doubtful = columns
      .filter(({ table, name }) => exported.has(table) && SECRET_NAME.test(name))
      .map(({ table, name }) => `${table}.${name}`);
    const shown = [...known, ...doubtful].filter((name) => !leftOut.has(name));
    expect(shown.sort()).toEqual(Object.keys(NO_SECRETS).sort());
  });

  it('name existing columns', () => {
    const existing = new Set(columns.map(({ table, name }) => `${table}.${name}`));
    const named = COMPANY_TABLES.flatMap(({ table, leftOut, erasure: { sets, setsUnused, scans } }) =>
      [...Object.keys({ ...leftOut, ...sets, ...setsUnused }), ...(scans === undefined ? [] : [scans])].map(
        (name) => `${table}.${name}`,
      ),
    );
    expect(named.filter((name) => !existing.has(name))).toEqual([]);
  });

  it('in which rows stay are passed over by id, for which they have an index', async () => {
    const context = await openTestContext(testConfig(database.url));
    try {
      const keeping = (await Catalog.read(context.get(Sql))).keeping(COMPANY_TABLES);
      const walked = COMPANY_TABLES.filter(
        ({ table, erasure: { removes, scans } }) => removes && scans === undefined && keeping.has(table),
      ).map(({ table }) => table);
      expect(walked).toEqual(expect.arrayContaining(['files', 'schedules', 'warehouses']));
      const indexes = await database.query<{ table: string }>(
        `select t.relname as table from pg_index i join pg_class t on t.oid = i.indrelid
          where i.indpred is null and pg_get_indexdef(i.indexrelid) ~ '\\(company_id, id\\)'`,
      );
      const indexed = new Set(indexes.map(({ table }) => table));
      expect(walked.filter((table) => !indexed.has(table))).toEqual([]);
    } finally {
      await context.close();
    }
  });
});
