import { migrateDatabase, Migration, type QueryRunner } from '@counterfoil/database';
import { createTestDatabase, testConfig, type TestDatabase, until } from '@counterfoil/test-harness';
import { MIGRATIONS } from './migrations';

class AddColumn9999999999999 extends Migration {
  override readonly name = 'AddColumn9999999999999';
  override async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table companies add column added text');
  }
}

describe('a migration of a table that a long statement reads', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  const waits = async () => {
    const found = await database.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return found.length > 0;
  };

  it('does not block other statements, and completes when the table is free', async () => {
    const reading = database.hold('select count(*) from companies');
    await reading.ready;
    let isDone = false;
    const config = { ...testConfig(database.url), migrationDatabaseUrl: database.adminUrl };
    const migrating = migrateDatabase(config, [...MIGRATIONS, AddColumn9999999999999]).then(() => {
      isDone = true;
    });
    await until('the migration to wait', waits);
    const startedAt = performance.now();
    await database.query('select count(*) from companies');
    expect(performance.now() - startedAt).toBeLessThan(4_000);
    expect(isDone).toBe(false);
    await until('it to wait once more', waits);
    await reading.release();
    await migrating;
    expect(await database.query('select added from companies')).toEqual([]);
  });
});
