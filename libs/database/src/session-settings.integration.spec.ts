import { openTestContext, startTestContext, type TestContext } from '@counterfoil/test-harness';
import { Sql } from './sql';

describe('a database with settings of its own', () => {
  let context: TestContext;

  beforeAll(async () => {
    context = await startTestContext([]);
  });
  afterAll(() => context.close());

  const setForLater = (setting: string, value: string) =>
    context.database.query(
      `do $$ begin execute format('alter database %I set ${setting} = %L', current_database(), '${value}'); end $$`,
    );

  it('has its days and times read in the formats of ISO, in UTC (contract §1.4)', async () => {
    await setForLater('datestyle', 'SQL, DMY');
    await setForLater('timezone', 'America/New_York');
    const service = await openTestContext(context.config, []);
    try {
      const [row] = await service.get(Sql).rows(
        `select date '2026-11-30' as day, timestamptz '2026-11-30T10:00:00Z' as at,
                (timestamptz '2026-11-30T10:00:00Z')::text as text`,
        [],
      );
      const at = new Date('2026-11-30T10:00:00Z');
      expect(row).toEqual({ day: '2026-11-30', at, text: '2026-11-30 10:00:00+00' });
    } finally {
      await service.close();
    }
  });
});
