import { CreateCompany, IdentityModule } from '@counterfoil/identity';
import type { Caller } from '@counterfoil/kernel';
import { startTestContext, type TestContext } from '@counterfoil/test-harness';
import { MOVEMENT_TYPES } from '../domain/movement';
import { InventoryModule } from '../inventory.module';
import { StockAuditModule } from '../stock-audit.module';
import { aMovement } from '../testing/a-movement';
import { givenCaller } from '../testing/given-caller';
import { givenStock, givenWarehouse } from '../testing/given-stock';
import { type Disagreement } from './ports/stock-audit';
import { RecordMovement } from './record-movement';
import { VerifyStock } from './verify-stock';

/** More than are looked at in one statement. */
const RECORDS = 45;

describe('the verification of the stock', () => {
  let context: TestContext;
  let caller: Caller;
  const ids: number[] = [];

  beforeAll(async () => {
    context = await startTestContext([InventoryModule, StockAuditModule, IdentityModule]);
    caller = await givenCaller(context);
    const warehouseId = await givenWarehouse(context, caller);
    const targetWarehouseId = await givenWarehouse(context, caller);
    for (let count = 0; count < RECORDS; count++) {
      const given = { warehouseId, quantity: 20, reserved: 10 };
      ids.push((await givenStock(context, caller, given)).inventoryId);
    }
    // Every type on one record, and a record that only transfers wrote.
    for (const movementType of MOVEMENT_TYPES) {
      const asked = aMovement({ inventoryId: ids[0]!, movementType, quantity: 1.5, targetWarehouseId });
      await context.get(RecordMovement).execute(caller, asked);
    }
  });
  afterAll(() => context.close());

  async function verified() {
    const told: Disagreement[] = [];
    const found = await context.get(VerifyStock).execute((one) => told.push(one));
    expect(found.disagreements).toBe(told.length);
    return { ...found, told };
  }

  /** What nobody but a superuser can do, and takes back. */
  async function corrupted<T>(sql: string, back: string, work: () => Promise<T>): Promise<T> {
    const unguarded = (statement: string) =>
      context.database.query(`begin; set local session_replication_role = replica; ${statement}; commit`);
    await unguarded(sql);
    try {
      return await work();
    } finally {
      await unguarded(back);
    }
  }

  const movementOf = async (id: number, place: number): Promise<number> => {
    const rows = await context.database.query<{ id: number }>(
      'select id::int from stock_movements where stock_record_id = $1 order by id',
      [id],
    );
    return rows.at(place)!.id;
  };

  it('finds nothing where nothing is wrong', async () => {
    const movements = RECORDS * 2 + MOVEMENT_TYPES.length + 1;
    expect(await verified()).toEqual({ records: RECORDS + 1, movements, disagreements: 0, told: [] });
  });

  it('tells each record that is not what its movements make it', async () => {
    const wrong = [ids[3]!, ids[RECORDS - 1]!];
    const at = `where id in (${wrong.join(', ')})`;
    const { told } = await corrupted(
      `update stock_records set quantity = quantity + 0.0001, reserved_quantity = 0 ${at}`,
      `update stock_records set quantity = quantity - 0.0001, reserved_quantity = 10 ${at}`,
      verified,
    );
    expect(told).toEqual(
      wrong.map((inventoryId) => ({
        companyId: caller.companyId,
        inventoryId,
        recorded: { quantity: 20.0001, reservedQuantity: 0 },
        moved: { quantity: 20, reservedQuantity: 10 },
        brokenMovementId: null,
      })),
    );
  });

  it.each([
    [
      'does not go on from where the one before it ended',
      'previous_quantity = previous_quantity + 1, new_quantity = new_quantity + 1',
    ],
    ['does not do what its quantity says', 'quantity = quantity + 1'],
    ['does not do what its type says', "movement_type = 'RESERVE'"],
    ['is dated before the one before it', "created_at = created_at - interval '1 day'"],
    ['has no other half', "movement_type = 'TRANSFER', new_reserved_quantity = previous_reserved_quantity"],
  ])('names the first movement that %s', async (_, change) => {
    const id = await movementOf(ids[5]!, 1);
    const { told } = await corrupted(
      `create table kept as select * from stock_movements where id = ${id};
       update stock_movements set ${change} where id = ${id}`,
      `update stock_movements m set quantity = k.quantity, movement_type = k.movement_type,
         previous_quantity = k.previous_quantity, new_quantity = k.new_quantity, created_at = k.created_at,
         new_reserved_quantity = k.new_reserved_quantity from kept k where m.id = k.id;
       drop table kept`,
      verified,
    );
    expect(told).toMatchObject([{ inventoryId: ids[5], brokenMovementId: id }]);
  });

  it('names half a transfer, whose other half is gone', async () => {
    const [{ id } = { id: NaN }] = await context.database.query<{ id: number }>(
      `select max(id)::int as id from stock_movements where movement_type = 'TRANSFER'`,
    );
    const source = await context.database.query<{ id: number }>(
      `select id::int from stock_movements where movement_type = 'TRANSFER' and id <> $1`,
      [id],
    );
    const { told } = await corrupted(
      `create table kept as select * from stock_movements where id = ${id};
       update stock_records r set quantity = r.quantity - k.quantity from kept k where r.id = k.stock_record_id;
       delete from stock_movements where id = ${id}`,
      `insert into stock_movements (id, company_id, stock_record_id, user_id, movement_type, quantity, previous_quantity,
         new_quantity, previous_reserved_quantity, new_reserved_quantity, counterpart_record_id, transaction_id, created_at)
       overriding system value
       select id, company_id, stock_record_id, user_id, movement_type, quantity, previous_quantity, new_quantity,
              previous_reserved_quantity, new_reserved_quantity, counterpart_record_id, transaction_id, created_at from kept;
       update stock_records r set quantity = r.quantity + k.quantity from kept k where r.id = k.stock_record_id;
       drop table kept`,
      verified,
    );
    expect(told).toMatchObject([{ inventoryId: ids[0], brokenMovementId: source[0]!.id }]);
    expect((await verified()).told).toEqual([]);
  });

  it.each([
    ['less than nothing', 'quantity = 21, new_quantity = -1'],
    ['more reserved than there is', 'new_reserved_quantity = new_quantity + 1'],
    ["another company's record", 'company_id = company_id + 1'],
  ])('need not look for %s, which the database takes from nobody', async (_, change) => {
    const id = await movementOf(ids[9]!, 1);
    const columns = `company_id, stock_record_id, user_id, movement_type, quantity, previous_quantity, new_quantity,
      previous_reserved_quantity, new_reserved_quantity, created_at`;
    const sql = `create temp table tried as select * from stock_movements where id = ${id};
      update tried set ${change}; insert into stock_movements (${columns}) select ${columns} from tried`;
    await context.get(CreateCompany).execute('Another', 'Owner');
    await expect(context.database.query(`begin; ${sql}`)).rejects.toThrow(/violates/);
    await context.database.query('rollback');
  });

  it('misses no movement that is not there any more', async () => {
    const id = await movementOf(ids[7]!, 0);
    const { told } = await corrupted(
      `create table kept as select * from stock_movements where id = ${id}; delete from stock_movements where id = ${id}`,
      `insert into stock_movements (id, company_id, stock_record_id, user_id, movement_type, quantity, previous_quantity,
         new_quantity, previous_reserved_quantity, new_reserved_quantity, created_at)
       overriding system value
       select id, company_id, stock_record_id, user_id, movement_type, quantity, previous_quantity, new_quantity,
              previous_reserved_quantity, new_reserved_quantity, created_at from kept;
       drop table kept`,
      verified,
    );
    const second = await movementOf(ids[7]!, 1);
    expect(told).toMatchObject([
      { inventoryId: ids[7], moved: { quantity: 10, reservedQuantity: 10 }, brokenMovementId: second },
    ]);
    expect((await verified()).told).toEqual([]);
  });

  it('finds nothing wrong beside movements', async () => {
    let moving = true;
    const movers = Array.from({ length: 4 }, async (_, index) => {
      const asked = aMovement({ inventoryId: ids[index]!, movementType: 'ADD_AND_RESERVE' });
      while (moving) await context.get(RecordMovement).execute(caller, asked);
    });
    for (let count = 0; count < 5; count++) expect((await verified()).told).toEqual([]);
    moving = false;
    await Promise.all(movers);
  });
});
