import { randomBytes } from 'node:crypto';
import { ResilientPool } from '@counterfoil/database';
import { IdentityModule } from '@counterfoil/identity';
import { Epochs } from '@counterfoil/kernel';
import { PartiesModule } from '@counterfoil/parties';
import { Cursors } from '@counterfoil/pagination';
import {
  databaseAt,
  keepDatabase,
  type OpenContext,
  migrateTestDatabase,
  openTestContext,
  type OwnPostgres,
  startOwnPostgres,
  testConfig,
  type TestContext,
  type TestDatabase,
  until,
} from '@counterfoil/test-harness';
import { DocumentsModule } from '../documents.module';
import { givenCompany } from '../testing/given-company';
import { LifeCycle } from '../testing/life-cycle';
import { type DocumentBatch, ReadChangeFeed } from './read-change-feed';

const SINCE = '2000-01-01T00:00:00Z';
const LOST = 5;
const ISSUED_AFTER = 12;
const MODULES = [DocumentsModule, IdentityModule, PartiesModule];

let server: OwnPostgres;
let database: TestDatabase;
/** Open from before the restore until after it, like a process of the service. */
let context: OpenContext;
let documents: LifeCycle;

beforeAll(async () => {
  server = await startOwnPostgres();
}, 60_000);
afterAll(() => server?.stop(), 60_000);
beforeEach(async () => {
  const administrator = databaseAt(server.url);
  const name = `test_${randomBytes(6).toString('hex')}`;
  await administrator.query(`create database ${name}`);
  await administrator.drop();
  const config = testConfig(at(server.url, name));
  await migrateTestDatabase(config);
  database = databaseAt(config.databaseUrl);
  context = await openTestContext(config, MODULES);
  documents = await givenDocuments('Acme');
}, 60_000);
afterEach(async () => {
  await context?.close();
  await database?.drop();
});

function at(url: string, name: string): string {
  return new URL(`/${name}`, url).href;
}

async function givenDocuments(name: string): Promise<LifeCycle> {
  const testContext: TestContext = { ...context, get: (token) => context.get(token), database };
  const company = new LifeCycle(testContext, await givenCompany(testContext, name));
  await issue(company, 3);
  return company;
}

async function issue(company: LifeCycle, count: number): Promise<void> {
  for (let n = 0; n < count; n++) await company.issueOver(10);
}

const batch = (
  start: { cursor?: string | null; updatedSince?: string },
  { companyId }: LifeCycle = documents,
  of = context,
): Promise<DocumentBatch> =>
  of
    .get(ReadChangeFeed)
    .execute(companyId, {}, { cursor: undefined, updatedSince: undefined, ...start }, 200);

async function cursorNow(company = documents, of = context): Promise<string> {
  const { nextCursor } = await batch({ updatedSince: SINCE }, company, of);
  return nextCursor ?? '';
}

/** The connections were cut by the restore. */
const isBack = (): Promise<unknown> =>
  until('the database to answer', () => database.query('select 1').then(Boolean, () => false)).then(() =>
    until('the service to answer', () => batch({ updatedSince: SINCE }).then(Boolean, () => false)),
  );

const invalid = { code: 'INVALID_CURSOR' };

/** Like `pg_restore --data-only` into the existing database. */
async function keepRows(): Promise<() => Promise<void>> {
  const tables = await database.query<{ name: string; columns: string }>(
    `select t.table_name as name,
            (select string_agg(quote_ident(column_name), ', ') from information_schema.columns c
              where c.table_schema = 'public' and c.table_name = t.table_name and is_generated = 'NEVER') as columns
       from information_schema.tables t where table_schema = 'public' and table_name <> 'migrations'`,
  );
  await database.query('create schema kept');
  for (const { name } of tables) await database.query(`create table kept.${name} as table public.${name}`);
  return async () => {
    const all = tables.map(({ name }) => `public.${name}`).join(', ');
    const inserts = tables.map(
      ({ name, columns }) =>
        `insert into public.${name} (${columns}) overriding system value select ${columns} from kept.${name};`,
    );
    await database.query(
      `begin; set local session_replication_role = replica; truncate ${all}; ${inserts.join('\n')} commit`,
    );
  };
}

describe('a cursor from before a restore', () => {
  it.each<[string, () => Promise<() => Promise<void>>]>([
    ['of the rows of all tables', keepRows],
    ['of the whole database', () => keepDatabase(context.config.databaseUrl)],
  ])(
    '%s is refused by a process that was running meanwhile',
    async (_, keep) => {
      const restore = await keep();
      await issue(documents, LOST);
      const cursor = await cursorNow();
      await restore();
      await isBack();
      await issue(documents, ISSUED_AFTER);
      await expect(batch({ cursor })).rejects.toMatchObject(invalid);
      const anew = await batch({ updatedSince: SINCE });
      expect(anew.documents).toHaveLength(3 + ISSUED_AFTER);
      await issue(documents, 1);
      expect((await batch({ cursor: anew.nextCursor })).documents).toHaveLength(1);
    },
    60_000,
  );

  it('of a copied data folder without a mark is refused if it is ahead, and then all others are', async () => {
    const other = await givenDocuments('Other');
    await server.keepCopy();
    await isBack();
    await issue(documents, LOST);
    const ahead = await cursorNow();
    await issue(other, LOST);
    const passed = await cursorNow(other);
    await server.putCopyBack();
    await isBack();
    await issue(other, ISSUED_AFTER);
    const sent = Array.from({ length: 5 }, () => batch({ cursor: ahead }));
    for (const answer of await Promise.allSettled(sent)) expect(answer).toMatchObject({ reason: invalid });
    await expect(batch({ cursor: passed }, other)).rejects.toMatchObject(invalid);
    // Several calls detect it concurrently, but only one new epoch starts.
    expect(await database.query('select count(*)::int as n from epochs')).toEqual([{ n: 2 }]);
  }, 60_000);

  it('without a mark is refused after the operator has declared the restore', async () => {
    await server.keepCopy();
    await isBack();
    await issue(documents, LOST);
    const cursor = await cursorNow();
    await server.putCopyBack();
    await isBack();
    await issue(documents, ISSUED_AFTER);
    const epochs = context.get(Epochs);
    expect(await epochs.renew(await epochs.current(), 'a test')).toBe(true);
    await expect(batch({ cursor })).rejects.toMatchObject(invalid);
  }, 60_000);

  it('of the first life of a copy is refused in its second', async () => {
    await server.keepCopy();
    await isBack();
    const epochs = context.get(Epochs);
    const lives: string[] = [];
    for (const documentsIssued of [LOST, ISSUED_AFTER]) {
      await server.putCopyBack();
      await isBack();
      await epochs.renew(await epochs.current(), 'a test');
      await issue(documents, documentsIssued);
      lives.push(await cursorNow());
    }
    await expect(batch({ cursor: lives[0]! })).rejects.toMatchObject(invalid);
    expect((await batch({ cursor: lives[1]! })).documents).toEqual([]);
  }, 60_000);

  it('stays valid after a restart, a crash, a vacuum full and an update of the service', async () => {
    const cursor = await cursorNow();
    await server.kill();
    await server.startAgain();
    await isBack();
    for (const sql of ['vacuum full freeze', 'reindex table epochs']) await database.query(sql);
    await migrateTestDatabase(context.config);
    await issue(documents, 1);
    expect((await batch({ cursor })).documents).toHaveLength(1);
  }, 60_000);

  it('from before the introduction of epochs stays valid until the next epoch', async () => {
    const scope = `documents ${documents.companyId} []`;
    const [first] = (await batch({ updatedSince: SINCE })).documents;
    const former = new Cursors(context.config.secretsKeys).issue(
      scope,
      `${first?.changeNumber}.${first?.id}`,
    );
    expect((await batch({ cursor: former })).documents).toHaveLength(2);
    const epochs = context.get(Epochs);
    await epochs.renew(await epochs.current(), 'a test');
    await expect(batch({ cursor: former })).rejects.toMatchObject(invalid);
  });
});

describe('a failover', () => {
  let afterwards: OpenContext | undefined;

  afterEach(async () => {
    await afterwards?.close();
    afterwards = undefined;
  });

  it('invalidates the cursors of the former primary at once', async () => {
    const name = new URL(context.config.databaseUrl).pathname.slice(1);
    const standby = at(await server.startStandby(), name);
    const cursor = await cursorNow();
    const pool = new ResilientPool({ connectionString: standby });
    // A standby is read-only, so connections to it are refused.
    await expect(pool.query('select 1')).rejects.toThrow('the server is a standby');
    await server.promoteStandby();
    await until('the standby to be a primary', () => pool.query('select 1').catch(() => null));
    await pool.end();
    afterwards = await openTestContext(testConfig(standby), MODULES);
    await expect(batch({ cursor }, documents, afterwards)).rejects.toMatchObject(invalid);
    const anew = await cursorNow(documents, afterwards);
    expect((await batch({ cursor: anew }, documents, afterwards)).documents).toEqual([]);
    // The old primary continues alone, and each database refuses cursors of the other.
    await expect(batch({ cursor: anew })).rejects.toMatchObject(invalid);
    expect((await batch({ cursor })).documents).toEqual([]);
  }, 60_000);
});
