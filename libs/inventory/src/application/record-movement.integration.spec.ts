import { isDatabaseUnavailable } from '@counterfoil/database';
import { IdentityModule } from '@counterfoil/identity';
import type { Caller } from '@counterfoil/kernel';
import { startTestContext, type TestContext } from '@counterfoil/test-harness';
import type { MovementType } from '../domain/movement';
import { InventoryModule } from '../inventory.module';
import { aMovement } from '../testing/a-movement';
import { givenCaller } from '../testing/given-caller';
import { givenProduct, givenStock, givenWarehouse } from '../testing/given-stock';
import { RecordMovement } from './record-movement';

let context: TestContext;
let caller: Caller;

beforeAll(async () => {
  context = await startTestContext([InventoryModule, IdentityModule]);
});
beforeEach(async () => {
  caller = await givenCaller(context);
});
afterAll(() => context.close());

const record = (movement: Parameters<typeof aMovement>[0], by = caller) =>
  context.get(RecordMovement).execute(by, aMovement(movement));

/** Reads the company's records, movements and events from the tables. */
async function everything(): Promise<object> {
  const rowsOf = (sql: string) => context.database.query(sql, [caller.companyId]);
  return {
    records: await rowsOf('select * from stock_records where company_id = $1 order by id'),
    movements: await rowsOf('select * from stock_movements where company_id = $1 order by id'),
    events: await rowsOf('select type, body from outbox_events where company_id = $1 order by sequence'),
  };
}

async function levelOf(inventoryId: number): Promise<readonly number[]> {
  const [row] = await context.database.query<{ level: number[] }>(
    'select array[quantity, reserved_quantity]::float8[] as level from stock_records where id = $1',
    [inventoryId],
  );
  return row!.level;
}

describe('a movement', () => {
  it('stores its details and the user who recorded it', async () => {
    const { inventoryId } = await givenStock(context, caller);
    const details = {
      unitPrice: 12.3456,
      reason: 'נמכר',
      referenceId: 7,
      referenceType: 'SALE',
      notes: 'x\ny',
    };
    const { source } = await record({ inventoryId, quantity: 0.1, ...details });
    const [row] = await context.database.query('select * from stock_movements where id = $1', [
      source.movementId,
    ]);
    expect(row).toMatchObject({
      company_id: String(caller.companyId),
      user_id: String(caller.userId),
      stock_record_id: String(inventoryId),
      movement_type: 'ADD',
      quantity: '0.1000',
      unit_price: '12.3456',
      reason: 'נמכר',
      reference_id: '7',
      reference_type: 'SALE',
      notes: 'x\ny',
      created_at: source.createdAt,
    });
  });

  it('adds without drift: 0.1 and 0.2 are 0.3', async () => {
    const { inventoryId } = await givenStock(context, caller);
    await record({ inventoryId, quantity: 0.1 });
    const { source } = await record({ inventoryId, quantity: 0.2 });
    expect(source).toMatchObject({ before: { quantity: 0.1 }, after: { quantity: 0.3 } });
  });

  it('appends its event in its own transaction', async () => {
    const { inventoryId } = await givenStock(context, caller, { lowStockThreshold: 5 });
    await record({ inventoryId, quantity: 9 });
    await record({ inventoryId, movementType: 'RESERVE', quantity: 4 });
    const rows = await context.database.query<{ type: string; written: boolean }>(
      `select e.type, e.xmin = m.xmin as written
         from outbox_events e left join stock_movements m
           on m.id = coalesce(e.body::jsonb #>> '{data,movement,id}', e.body::jsonb #>> '{data,movementId}')::bigint
        where e.company_id = $1 order by e.sequence`,
      [caller.companyId],
    );
    expect(rows).toEqual(
      ['stock.movement.recorded', 'stock.movement.recorded', 'stock.low'].map((type) => ({
        type,
        written: true,
      })),
    );
  });
});

describe('a refused movement', () => {
  const cases: readonly (readonly [MovementType, quantity: number, code: string | null])[] = [
    ['SUBTRACT', 6, null],
    ['SUBTRACT', 6.0001, 'INSUFFICIENT_STOCK'],
    ['RESERVE', 6, null],
    ['RESERVE', 6.0001, 'INSUFFICIENT_STOCK'],
    ['TRANSFER', 6, null],
    ['TRANSFER', 6.0001, 'INSUFFICIENT_STOCK'],
    ['RELEASE', 4, null],
    ['RELEASE', 4.0001, 'INSUFFICIENT_STOCK'],
    ['RELEASE_AND_SUBTRACT', 4, null],
    ['RELEASE_AND_SUBTRACT', 4.0001, 'INSUFFICIENT_STOCK'],
    ['ADD', 9_999_999_989.9999, null],
    ['ADD', 9_999_999_990, 'LIMIT_REACHED'],
    ['ADJUST', 9_999_999_990, 'LIMIT_REACHED'],
    ['ADD_AND_RESERVE', 9_999_999_990, 'LIMIT_REACHED'],
  ];

  it.each(cases)('%s of %d with 6 available and 4 reserved: %s', async (movementType, quantity, code) => {
    const { inventoryId } = await givenStock(context, caller, { quantity: 10, reserved: 4 });
    const targetWarehouseId = movementType === 'TRANSFER' ? await givenWarehouse(context, caller) : null;
    const before = await everything();
    const recorded = record({ inventoryId, movementType, quantity, targetWarehouseId });
    if (code === null) {
      await recorded;
      return;
    }
    await expect(recorded).rejects.toMatchObject({ code });
    expect(await everything()).toEqual(before);
  });

  it('changes neither record when the target would exceed the maximum', async () => {
    const productId = await givenProduct(context, caller);
    const full = await givenStock(context, caller, { productId, quantity: 9_999_999_999.9999 });
    const { inventoryId } = await givenStock(context, caller, { productId, quantity: 1 });
    const before = await everything();
    const transfer = { inventoryId, movementType: 'TRANSFER', targetWarehouseId: full.warehouseId } as const;
    await expect(record({ ...transfer, quantity: 0.0001 })).rejects.toMatchObject({ code: 'LIMIT_REACHED' });
    expect(await everything()).toEqual(before);
  });

  it("treats another company's record or warehouse as unknown", async () => {
    const other = await givenCaller(context);
    const theirs = await givenStock(context, other, { quantity: 5 });
    const ours = await givenStock(context, caller, { quantity: 5 });
    const before = await everything();
    const unknown = (field: string) => ({ code: 'UNKNOWN_REFERENCE', details: [{ field }] });
    for (const inventoryId of [theirs.inventoryId, 999_999]) {
      await expect(record({ inventoryId })).rejects.toMatchObject(unknown('inventoryId'));
      const transfer = {
        inventoryId,
        movementType: 'TRANSFER',
        targetWarehouseId: ours.warehouseId,
      } as const;
      await expect(record(transfer)).rejects.toMatchObject(unknown('inventoryId'));
    }
    for (const targetWarehouseId of [theirs.warehouseId, 999_999]) {
      const transfer = {
        inventoryId: ours.inventoryId,
        movementType: 'TRANSFER',
        targetWarehouseId,
      } as const;
      await expect(record(transfer)).rejects.toMatchObject(unknown('targetWarehouseId'));
    }
    expect(await everything()).toEqual(before);
    expect(await levelOf(theirs.inventoryId)).toEqual([5, 0]);
  });
});

describe('a transfer', () => {
  it('is refused to its own warehouse or without a target', async () => {
    const { inventoryId, warehouseId } = await givenStock(context, caller, { quantity: 5 });
    for (const targetWarehouseId of [warehouseId, null]) {
      await expect(
        record({ inventoryId, movementType: 'TRANSFER', targetWarehouseId }),
      ).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
        details: [{ field: 'targetWarehouseId' }],
      });
    }
  });

  it('creates the target record, and finds it the next time', async () => {
    const { inventoryId, productId } = await givenStock(context, caller, { quantity: 5, reserved: 1 });
    const targetWarehouseId = await givenWarehouse(context, caller, 'Shop');
    const transfer = { inventoryId, movementType: 'TRANSFER', targetWarehouseId, quantity: 1.5 } as const;
    const first = await record(transfer);
    expect(first.target).toMatchObject({
      productId,
      warehouseId: targetWarehouseId,
      movementId: first.source.movementId + 1,
      before: { quantity: 0, reservedQuantity: 0 },
      after: { quantity: 1.5, reservedQuantity: 0 },
      lowStockThreshold: null,
    });
    const second = await record(transfer);
    expect(second.target?.inventoryId).toBe(first.target?.inventoryId);
    expect(await levelOf(inventoryId)).toEqual([2, 1]);
    expect(await levelOf(second.target!.inventoryId)).toEqual([3, 0]);
    const back = {
      ...transfer,
      inventoryId: second.target!.inventoryId,
      targetWarehouseId: first.source.warehouseId,
    };
    await record({ ...back, quantity: 3 });
    expect(await levelOf(inventoryId)).toEqual([5, 1]);
  });
});

it('both movements of a transfer have the same time, even if one record has a later movement', async () => {
  const productId = await givenProduct(context, caller);
  const [one, other] = [
    await givenStock(context, caller, { productId, quantity: 5 }),
    await givenStock(context, caller, { productId, quantity: 5 }),
  ];
  const ahead = new Date(Date.now() + 3_600_000);
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    await context.database.query('update stock_records set moved_at = $2 where id = $1', [
      to.inventoryId,
      ahead,
    ]);
    const { source, target } = await record({
      inventoryId: from.inventoryId,
      movementType: 'TRANSFER',
      targetWarehouseId: to.warehouseId,
    });
    expect([source.createdAt, target?.createdAt]).toEqual([ahead, ahead]);
    const written = await context.database.query(
      'select created_at as at from stock_movements where id = any ($1)',
      [[source.movementId, target?.movementId]],
    );
    expect(written).toEqual([{ at: ahead }, { at: ahead }]);
  }
});

describe('concurrent movements', () => {
  it('create one target record for many first transfers', async () => {
    const productId = await givenProduct(context, caller);
    const target = await givenWarehouse(context, caller, 'Shop');
    const sources: number[] = [];
    for (let count = 0; count < 6; count++) {
      sources.push((await givenStock(context, caller, { productId, quantity: 1 })).inventoryId);
    }
    const made = await Promise.all(
      sources.map((inventoryId) =>
        record({ inventoryId, movementType: 'TRANSFER', targetWarehouseId: target, quantity: 1 }),
      ),
    );
    const ids = new Set(made.map((one) => one.target!.inventoryId));
    expect(ids.size).toBe(1);
    expect(await levelOf([...ids][0]!)).toEqual([6, 0]);
  });

  it('can transfer both ways between two records', async () => {
    const productId = await givenProduct(context, caller);
    const [one, other] = [
      await givenStock(context, caller, { productId, quantity: 20 }),
      await givenStock(context, caller, { productId, quantity: 20 }),
    ];
    const transfer = (from: typeof one, to: typeof one) =>
      record({ inventoryId: from.inventoryId, movementType: 'TRANSFER', targetWarehouseId: to.warehouseId });
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 ? transfer(one, other) : transfer(other, one))),
    );
    expect(await levelOf(one.inventoryId)).toEqual([20, 0]);
    expect(await levelOf(other.inventoryId)).toEqual([20, 0]);
  });

  it("are refused without waiting for another company's busy record", async () => {
    const { inventoryId } = await givenStock(context, caller);
    const other = await givenCaller(context);
    const held = context.database.hold(`select from stock_records where id = ${inventoryId} for update`);
    await held.ready;
    const waiting = Array.from({ length: 4 }, () => record({ inventoryId }));
    let released = false;
    const refused = record({ inventoryId }, other).catch((error: unknown) => ({ error, released }));
    expect(await refused).toMatchObject({ error: { code: 'UNKNOWN_REFERENCE' }, released: false });
    released = true;
    await held.release();
    await Promise.all(waiting);
  }, 4_000);

  it('fail as retryable after waiting too long for a record, and change nothing', async () => {
    const { inventoryId } = await givenStock(context, caller);
    const before = await everything();
    const held = context.database.hold(`select from stock_records where id = ${inventoryId} for update`);
    await held.ready;
    const error: unknown = await record({ inventoryId }).catch((refused: unknown) => refused);
    expect(isDatabaseUnavailable(error)).toBe(true);
    await held.release();
    expect(await everything()).toEqual(before);
    await record({ inventoryId });
  });

  it('of a locked record do not block those of another', async () => {
    const [one, other] = [await givenStock(context, caller), await givenStock(context, caller)];
    const held = context.database.hold(`select from stock_records where id = ${one.inventoryId} for update`);
    await held.ready;
    const waiting = Array.from({ length: 40 }, () => record({ inventoryId: one.inventoryId }));
    for (let count = 0; count < 5; count++) await record({ inventoryId: other.inventoryId });
    expect(await levelOf(other.inventoryId)).toEqual([5, 0]);
    await held.release();
    await Promise.all(waiting);
    expect(await levelOf(one.inventoryId)).toEqual([40, 0]);
  });
});

it('no movement can be changed or removed', async () => {
  const { inventoryId } = await givenStock(context, caller, { quantity: 5 });
  for (const sql of [
    `update stock_movements set quantity = 1 where stock_record_id = ${inventoryId}`,
    `delete from stock_movements where stock_record_id = ${inventoryId}`,
    'truncate stock_movements',
  ]) {
    await expect(context.database.query(sql)).rejects.toThrow('movements are never changed');
  }
});
