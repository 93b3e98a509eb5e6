import { assertDatabaseReady } from '@counterfoil/database';
import { createTestDatabase, testConfig, type TestDatabase } from '@counterfoil/test-harness';
import { MIGRATIONS } from './migrations';

describe('a migrated database', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('has every pending migration applied', async () => {
    await assertDatabaseReady(testConfig(database.url), MIGRATIONS);
  });

  it('is not ready for a process that knows a later migration', async () => {
    await database.query(`delete from migrations where name like 'Foundation%'`);
    await expect(assertDatabaseReady(testConfig(database.url), MIGRATIONS)).rejects.toThrow(
      'the database lacks 1 migration(s)',
    );
  });
});
