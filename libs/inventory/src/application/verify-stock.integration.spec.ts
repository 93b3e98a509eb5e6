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

/** More than one statement checks. */
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
    // One record with every type of movement, and one with transfers only.
    for (const movementType of MOVEMENT_TYPES) {
      const movement = aMovement({ inventoryId: ids[0]!, movementType, quantity: 1.5, targetWarehouseId });
      await context.get(RecordMovement).execute(caller, movement);
    }
  });
  afterAll(() => context.close());

  async function verify() {
    const reported: Disagreement[] = [];
    const found = await context.get(VerifyStock).execute((one) => reported.push(one));
    expect(found.disagreements).toBe(reported.length);
    return { ...found, reported };
  }

  /** Runs `work` while the data are corrupted. Triggers are off, which only a superuser can do. */
  async function runCorrupted<T>(sql: string, back: string, work: () => Promise<T>): Promise<T> {
    const runWithoutTriggers = (statement: string) =>
      context.database.query(`begin; set local session_replication_role = replica; ${statement}; commit`);
    await runWithoutTriggers(sql);
    try {
      return await work();
    } finally {
      await runWithoutTriggers(back);
    }
  }

  const findMovementId = async (id: number, place: number): Promise<number> => {
    const rows = await context.database.query<{ id: number }>(
      'select id::int from stock_movements where stock_record_id = $1 order by id',
      [id],
    );
    return rows.at(place)!.id;
  };

  it('reports nothing for consistent stock', async () => {
    const movements = RECORDS * 2 + MOVEMENT_TYPES.length + 1;
    expect(await verify()).toEqual({ records: RECORDS + 1, movements, disagreements: 0, reported: [] });
  });

  it('reports each record that differs from the sum of its movements', async () => {
    const wrong = [ids[3]!, ids[RECORDS - 1]!];
    const at = `where id in (${wrong.join(', ')})`;
    const { reported } = await runCorrupted(
      `update stock_records set quantity = quantity + 0.0001, reserved_quantity = 0 ${at}`,
      `update stock_records set quantity = quantity - 0.0001, reserved_quantity = 10 ${at}`,
      verify,
    );
    expect(reported).toEqual(
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
      'does not start at the end of the previous one',
      'previous_quantity = previous_quantity + 1, new_quantity = new_quantity + 1',
    ],
    ['has an effect other than its quantity', 'quantity = quantity + 1'],
    ['has an effect other than its type', "movement_type = 'RESERVE'"],
    ['is dated before the previous one', "created_at = created_at - interval '1 day'"],
    [
      'lacks the other half of a transfer',
      "movement_type = 'TRANSFER', new_reserved_quantity = previous_reserved_quantity",
    ],
  ])('names the first movement that %s', async (_, change) => {
    const id = await findMovementId(ids[5]!, 1);
    const { reported } = await runCorrupted(
      `create table kept as select * from stock_movements where id = ${id};
       update stock_movements set ${change} where id = ${id}`,
      `update stock_movements m set quantity = k.quantity, movement_type = k.movement_type,
         previous_quantity = k.previous_quantity, new_quantity = k.new_quantity, created_at = k.created_at,
         new_reserved_quantity = k.new_reserved_quantity from kept k where m.id = k.id;
       drop table kept`,
      verify,
    );
    expect(reported).toMatchObject([{ inventoryId: ids[5], brokenMovementId: id }]);
  });

  it('names a transfer whose other half is missing', async () => {
    const [{ id } = { id: NaN }] = await context.database.query<{ id: number }>(
      `select max(id)::int as id from stock_movements where movement_type = 'TRANSFER'`,
    );
    const source = await context.database.query<{ id: number }>(
      `select id::int from stock_movements where movement_type = 'TRANSFER' and id <> $1`,
      [id],
    );
    const { reported } = await runCorrupted(
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
      verify,
    );
    expect(reported).toMatchObject([{ inventoryId: ids[0], brokenMovementId: source[0]!.id }]);
    expect((await verify()).reported).toEqual([]);
  });

  it.each([
    ['less than nothing', 'quantity = 21, new_quantity = -1'],
    ['more reserved than there is', 'new_reserved_quantity = new_quantity + 1'],
    ["another company's record", 'company_id = company_id + 1'],
  ])('need not check for %s, which the database refuses', async (_, change) => {
    const id = await findMovementId(ids[9]!, 1);
    const columns = `company_id, stock_record_id, user_id, movement_type, quantity, previous_quantity, new_quantity,
      previous_reserved_quantity, new_reserved_quantity, created_at`;
    const sql = `create temp table tried as select * from stock_movements where id = ${id};
      update tried set ${change}; insert into stock_movements (${columns}) select ${columns} from tried`;
    await context.get(CreateCompany).execute('Another', 'Owner');
    await expect(context.database.query(`begin; ${sql}`)).rejects.toThrow(/violates/);
    await context.database.query('rollback');
  });

  it('detects a deleted movement', async () => {
    const id = await findMovementId(ids[7]!, 0);
    const { reported } = await runCorrupted(
      `create table kept as select * from stock_movements where id = ${id}; delete from stock_movements where id = ${id}`,
      `insert into stock_movements (id, company_id, stock_record_id, user_id, movement_type, quantity, previous_quantity,
         new_quantity, previous_reserved_quantity, new_reserved_quantity, created_at)
       overriding system value
       select id, company_id, stock_record_id, user_id, movement_type, quantity, previous_quantity, new_quantity,
              previous_reserved_quantity, new_reserved_quantity, created_at from kept;
       drop table kept`,
      verify,
    );
    const second = await findMovementId(ids[7]!, 1);
    expect(reported).toMatchObject([
      { inventoryId: ids[7], moved: { quantity: 10, reservedQuantity: 10 }, brokenMovementId: second },
    ]);
    expect((await verify()).reported).toEqual([]);
  });

  it('reports nothing wrong during concurrent movements', async () => {
    let moving = true;
    const movers = Array.from({ length: 4 }, async (_, index) => {
      const movement = aMovement({ inventoryId: ids[index]!, movementType: 'ADD_AND_RESERVE' });
      while (moving) await context.get(RecordMovement).execute(caller, movement);
    });
    for (let count = 0; count < 5; count++) expect((await verify()).reported).toEqual([]);
    moving = false;
    await Promise.all(movers);
  });
});
