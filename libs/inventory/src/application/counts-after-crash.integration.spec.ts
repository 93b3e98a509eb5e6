import { managerOf } from '@counterfoil/database';
import { IdentityModule } from '@counterfoil/identity';
import { type Caller, Transactions } from '@counterfoil/kernel';
import {
  databaseAt,
  migrateTestDatabase,
  type OpenContext,
  openTestContext,
  type OwnPostgres,
  startOwnPostgres,
  testConfig,
  type TestDatabase,
  until,
} from '@counterfoil/test-harness';
import { InventoryModule } from '../inventory.module';
import { aMovement } from '../testing/a-movement';
import { givenCaller } from '../testing/given-caller';
import { givenStock } from '../testing/given-stock';
import { InventoryReader } from './ports/inventory.reader';
import { RecordMovement } from './record-movement';

/**
 * After a crash the server reuses transaction ids that were rolled back before they reached the disk. A count
 * cached up to such an id would miss the rows that are written under it later.
 */
describe('the total of movements after a crash of the database', () => {
  let server: OwnPostgres | undefined;
  let database: TestDatabase;
  let context: OpenContext;
  let caller: Caller;

  beforeAll(async () => {
    server = await startOwnPostgres();
    const config = testConfig(server.url);
    await migrateTestDatabase(config);
    database = databaseAt(server.url);
    context = await openTestContext(config, [InventoryModule, IdentityModule]);
    caller = await givenCaller(context);
  }, 60_000);
  afterAll(async () => {
    await context?.close();
    await database?.drop();
    await server?.stop();
  });

  const total = async (): Promise<number> => {
    const page = { limit: 1, offset: 0 };
    const newest = { by: 'id', descending: true } as const;
    const { pagination } = await context
      .get(InventoryReader)
      .listMovements(caller.companyId, {}, newest, page);
    return pagination.total;
  };

  /** Uses up transaction ids without a trace on disk. */
  async function consumeTransactionIds(): Promise<void> {
    for (let count = 0; count < 5; count++) {
      const drawn = context.get(Transactions).run(async (tx) => {
        await managerOf(tx).query('select pg_current_xact_id()');
        throw new Error('rolled back');
      });
      await expect(drawn).rejects.toThrow('rolled back');
    }
  }

  it('is right although transaction ids are reused', async () => {
    const { inventoryId } = await givenStock(context, caller, { quantity: 5 });
    const move = () => context.get(RecordMovement).execute(caller, aMovement({ inventoryId }));
    for (let round = 1; round <= 3; round++) {
      await consumeTransactionIds();
      expect(await total()).toBe(round);
      const [backend] = await database.query<{ pid: number }>('select pg_backend_pid() as pid');
      process.kill(backend!.pid, 'SIGKILL');
      const answered = (call: () => Promise<unknown>) =>
        call()
          .then(Boolean)
          .catch(() => false);
      await until('the database answers', () => answered(() => database.query('select 1')));
      await until('movements go on', () => answered(move));
      expect(await total()).toBe(round + 1);
    }
  }, 60_000);
});
