import { Epochs } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import {
  createTestDatabase,
  openTestContext,
  testConfig,
  type TestDatabase,
} from '@counterfoil/test-harness';

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

/** Opens and closes the epoch module on the database. @returns the epoch and the warnings */
async function open(): Promise<{ epoch: string; warned: unknown[] }> {
  const warned: unknown[] = [];
  const log = { ...silent, warn: (fields: unknown) => warned.push(fields) };
  const context = await openTestContext(testConfig(database.url), [], (builder) =>
    builder.overrideProvider(Log).useValue(log),
  );
  const epoch = await context.get(Epochs).current();
  await context.close();
  return { epoch, warned };
}

const nothing = (): void => undefined;
const silent = { debug: nothing, info: nothing, warn: nothing, error: nothing, fatal: nothing };

describe('the epoch of the database', () => {
  it('is the same in every process', async () => {
    const { epoch, warned } = await open();
    expect(epoch).toMatch(/^[0-9a-f]{16}$/);
    expect(await open()).toEqual({ epoch, warned: [] });
    expect(warned).toEqual([]);
  });

  it('is readable by a role without the privileges that detect restores, and the role gets a warning', async () => {
    const functions = ['pg_control_system()', 'pg_walfile_name(pg_lsn)'];
    await database.query(`revoke execute on function ${functions.join(', ')} from public`);
    const { epoch, warned } = await open();
    expect(epoch).toMatch(/^[0-9a-f]{16}$/);
    expect(warned).toEqual([{ functions }]);
    // A restore in place changes the epoch even so.
    await database.query('create table kept as table epochs');
    await database.query('truncate epochs');
    await database.query('insert into epochs overriding system value select * from kept');
    expect((await open()).epoch).not.toBe(epoch);
  });
});
