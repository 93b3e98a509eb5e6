import { IdentityModule } from '@counterfoil/identity';
import { Sql } from '@counterfoil/database';
import { type Caller, Clock, Epochs, inRequestScope, Transactions } from '@counterfoil/kernel';
import { startTestContext, type TestContext, until } from '@counterfoil/test-harness';
import fc from 'fast-check';
import { EFFECTS, MOVEMENT_TYPES, type MovementType } from '../domain/movement';
import type { Warehouse } from '../domain/warehouse';
import { InventoryModule } from '../inventory.module';
import { aMovement } from '../testing/a-movement';
import { givenCaller } from '../testing/given-caller';
import { givenProduct, givenStock, givenWarehouse } from '../testing/given-stock';
import {
  InventoryReader,
  MOVEMENT_SORTS,
  type MovementFilter,
  type MovementRow,
  type MovementSort,
} from './ports/inventory.reader';
import { StockRepository } from './ports/stock.repository';
import { RecordMovement } from './record-movement';

const NEWEST = { by: 'createdAt', descending: true } as const;
const FIRST = { limit: 200, offset: 0 };

/** Stands still, advances and jumps back by a few ms: movements may share their time, and clocks differ. */
class UnsteadyClock extends Clock {
  private time = Date.parse('2026-11-22T08:00:00.000Z');
  private calls = 0;

  override now(): Date {
    this.calls += 1;
    if (this.calls % 3 === 0) this.time += this.calls % 5 === 0 ? -7 : 2;
    return new Date(this.time);
  }
}

let context: TestContext;
let reader: InventoryReader;

beforeAll(async () => {
  const clock = new UnsteadyClock();
  context = await startTestContext([InventoryModule, IdentityModule], (builder) =>
    builder.overrideProvider(Clock).useValue(clock),
  );
  reader = context.get(InventoryReader);
});
afterAll(() => context.close());

const record = (caller: Caller, movement: Parameters<typeof aMovement>[0]) =>
  context.get(RecordMovement).execute(caller, aMovement(movement));

async function totalOf(caller: Caller, filter: MovementFilter = {}): Promise<number> {
  const { pagination } = await reader.listMovements(caller.companyId, filter, NEWEST, {
    limit: 1,
    offset: 0,
  });
  return pagination.total;
}

describe('a list of movements', () => {
  const COUNT = 400;
  let caller: Caller;
  let ids: number[];
  let known: MovementRow[];

  const reason = fc.option(
    fc
      .array(fc.constantFrom('sale', 'SALE', 'נמכר', 'מכ', '%', '_', '\\', ' ', 'x', '10'), {
        minLength: 1,
        maxLength: 3,
      })
      .map((parts) => `${parts.join('')}.`),
  );
  const quantity = fc.constantFrom(0.0001, 0.5, 1, 1.25, 2, 3);

  /** Reads all movements by separate SQL. */
  async function readAllMovements(): Promise<MovementRow[]> {
    const rows = await context.database.query<MovementRow>(
      `select m.id::int, m.stock_record_id::int as "inventoryId", m.movement_type as "movementType",
              m.quantity::float8, m.reason, m.created_at as "createdAt"
         from stock_movements m where company_id = $1`,
      [caller.companyId],
    );
    return rows;
  }

  beforeAll(async () => {
    caller = await givenCaller(context);
    const other = await givenCaller(context);
    ids = [];
    for (let count = 0; count < 4; count++) {
      ids.push((await givenStock(context, caller, { quantity: 1_000, reserved: 500 })).inventoryId);
    }
    const theirs = await givenStock(context, other, { quantity: 1_000 });
    const types = MOVEMENT_TYPES.filter((type) => type !== 'TRANSFER');
    const movement = fc.record({
      inventoryId: fc.constantFrom(...ids.slice(0, 3)),
      movementType: fc.constantFrom<MovementType>(...types),
      quantity,
      reason,
    });
    for (const [index, input] of fc.sample(movement, { numRuns: COUNT, seed: 6 }).entries()) {
      await record(caller, input);
      if (index % 4 === 0)
        await record(other, { ...input, inventoryId: theirs.inventoryId, movementType: 'ADD' });
    }
    known = await readAllMovements();
    expect(known).toHaveLength(COUNT + 8);
  });

  const compare = (a: string | number | Date, b: string | number | Date): number => {
    if (+a === +b || a === b) return 0;
    return a < b ? -1 : 1;
  };

  /** A model of the list: applies the contract's rules to all known movements. */
  function expected(
    { inventoryId, movementType, reason: part = '' }: MovementFilter,
    sort: MovementSort,
  ): number[] {
    const term = part.trim().toLowerCase();
    return known
      .filter((one) => inventoryId === undefined || one.inventoryId === inventoryId)
      .filter((one) => movementType === undefined || one.movementType === movementType)
      .filter((one) => term === '' || (one.reason ?? '').toLowerCase().includes(term))
      .sort((a, b) => (compare(a[sort.by], b[sort.by]) || a.id - b.id) * (sort.descending ? -1 : 1))
      .map(({ id }) => id);
  }

  const list = fc.constant(null).chain(() =>
    fc.record({
      filter: fc.record(
        {
          inventoryId: fc.constantFrom(...ids, 999_999),
          movementType: fc.constantFrom<MovementType>(...MOVEMENT_TYPES),
          reason: fc.constantFrom(
            ...[
              '',
              ' ',
              's',
              'sa',
              'sal',
              'SALE',
              'salesale',
              'מכ',
              'נמכר',
              '%',
              '_',
              '\\',
              '%_',
              '10.',
              'x\\',
              'zzz',
            ],
            ...[' sale ', 'e s', '%%%', '___'],
          ),
        },
        { requiredKeys: [] },
      ),
      sort: fc.record({ by: fc.constantFrom(...MOVEMENT_SORTS), descending: fc.boolean() }),
      page: fc.record({
        limit: fc.constantFrom(1, 7, 50, 200),
        offset: fc.constantFrom(0, 0, 3, 49, 100, 300, 5_000),
      }),
    }),
  );

  it('equals its model for every filter, sort and page', async () => {
    await fc.assert(
      fc.asyncProperty(list, async ({ filter, sort, page }) => {
        const { data, pagination } = await reader.listMovements(caller.companyId, filter, sort, page);
        const all = expected(filter, sort);
        expect(data.map(({ id }) => id)).toEqual(all.slice(page.offset, page.offset + page.limit));
        expect(pagination.total).toBe(all.length);
      }),
      { numRuns: 600, seed: 6 },
    );
  });

  it.each(MOVEMENT_SORTS.flatMap((by) => [false, true].map((descending) => ({ by, descending }))))(
    'can be walked to its end by $by (descending: $descending)',
    async (sort) => {
      const walked: number[] = [];
      for (let offset = 0, more = true; more; offset += 33) {
        const { data, pagination } = await reader.listMovements(caller.companyId, {}, sort, {
          limit: 33,
          offset,
        });
        walked.push(...data.map(({ id }) => id));
        more = pagination.hasMore;
      }
      expect(walked).toEqual(expected({}, sort));
    },
  );

  it('has the movements of one record in the order of their times and of their ids', async () => {
    for (const inventoryId of ids) {
      const { data } = await reader.listMovements(caller.companyId, { inventoryId }, NEWEST, FIRST);
      const inOrder = [...data].sort((a, b) => b.id - a.id);
      expect(data).toEqual(inOrder);
      const times = data.map(({ createdAt }) => createdAt.getTime());
      expect(times).toEqual([...times].sort((a, b) => b - a));
    }
  });

  it("has no movements of another company's record", async () => {
    const stranger = await givenCaller(context);
    for (const inventoryId of ids) expect(await totalOf(stranger, { inventoryId })).toBe(0);
    expect(await totalOf(stranger)).toBe(0);
  });
});

describe('the total of a list of movements', () => {
  it('counts transactions that began before other movements and committed after them', async () => {
    const caller = await givenCaller(context);
    const { inventoryId } = await givenStock(context, caller, { quantity: 10 });
    const late = await givenStock(context, caller, { quantity: 10 });
    const filters = [{}, { movementType: 'ADD' }, { inventoryId: late.inventoryId }] as const;
    const totals = () => Promise.all(filters.map((filter) => totalOf(caller, filter)));
    expect(await totals()).toEqual([2, 2, 1]);
    let end!: () => void;
    const held = new Promise<void>((resolve) => (end = resolve));
    let began!: () => void;
    const begun = new Promise<void>((resolve) => (began = resolve));
    const slow = context.get(Transactions).run(async (tx) => {
      const { inventoryId: _, targetWarehouseId: _target, ...details } = aMovement({ inventoryId: 0 });
      const source = { inventoryId: late.inventoryId, effect: EFFECTS.ADD };
      await context.get(StockRepository).move(tx, caller, { details, source, target: null, at: new Date() });
      began();
      await held;
    });
    await begun;
    for (let count = 1; count <= 3; count++) {
      await record(caller, { inventoryId });
      expect(await totals()).toEqual([2 + count, 2 + count, 1]);
    }
    end();
    await slow;
    expect(await totals()).toEqual([6, 6, 2]);
    await record(caller, { inventoryId });
    expect(await totals()).toEqual([7, 7, 2]);
    expect(await totals()).toEqual([7, 7, 2]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['table is another', () => context.database.query('vacuum full stock_movements')],
    [
      'epoch is another',
      async () => context.get(Epochs).renew(await context.get(Epochs).current(), 'a test'),
    ],
  ])('is counted again where the %s, as after a restore', async (_, restored) => {
    const caller = await givenCaller(context);
    const { inventoryId } = await givenStock(context, caller, { quantity: 10 });
    for (let count = 0; count < 4; count++) await record(caller, { inventoryId });
    expect(await totalOf(caller)).toBe(5);
    await context.database.query(
      `begin; set local session_replication_role = replica;
       delete from stock_movements where stock_record_id = ${inventoryId} and reason is null
         and id > (select min(id) from stock_movements where stock_record_id = ${inventoryId}); commit`,
    );
    await restored();
    expect(await totalOf(caller)).toBe(1);
  });

  it('is counted for all waiting callers when the first one disconnects', async () => {
    const caller = await givenCaller(context);
    const { companyId } = caller;
    const { inventoryId } = await givenStock(context, caller, { quantity: 10 });
    await record(caller, { inventoryId });
    let hasGone = false;
    const asRequest = <T>(isAbandoned: () => boolean, work: () => Promise<T>) =>
      inRequestScope({ share: companyId, isAbandoned }, work);
    const stays = () => false;
    const held = context.database.hold(`select pg_advisory_xact_lock(${companyId})`);
    await held.ready;
    const lock = () => context.get(Sql).rows('select pg_advisory_xact_lock_shared($1)', [companyId]);
    const places = Array.from({ length: 5 }, () => asRequest(stays, lock));
    await until("the company's connections to be taken", async () => {
      const sql = `select count(*)::int as n from pg_locks where locktype = 'advisory' and objid = $1 and not granted`;
      const [row] = await context.database.query<{ n: number }>(sql, [companyId]);
      return row?.n === 5;
    });
    const first = asRequest(
      () => hasGone,
      () => totalOf(caller),
    ).catch(() => null);
    const second = asRequest(stays, () => totalOf(caller));
    hasGone = true;
    await held.release();
    expect(await second).toBe(2);
    await Promise.all([first, ...places]);
  });

  it('matches its rows while others write', async () => {
    const caller = await givenCaller(context);
    const { inventoryId } = await givenStock(context, caller, { quantity: 1 });
    let writing = true;
    const writers = Array.from({ length: 4 }, async () => {
      for (let count = 0; count < 40; count++) await record(caller, { inventoryId, quantity: 1 });
    });
    const readers = Array.from({ length: 2 }, async () => {
      while (writing) {
        // Each movement adds one, so the quantity of the newest is the number of movements.
        const { data, pagination } = await reader.listMovements(
          caller.companyId,
          {},
          { by: 'id', descending: true },
          {
            limit: 1,
            offset: 0,
          },
        );
        expect(data[0]?.newQuantity).toBe(pagination.total);
      }
    });
    await Promise.all(writers);
    writing = false;
    await Promise.all(readers);
    expect(await totalOf(caller)).toBe(161);
  });
});

describe('the lists of stock records and warehouses', () => {
  const batchesOf = async ({ companyId }: Caller) => {
    const batches: (readonly Warehouse[])[] = [];
    for await (const batch of reader.warehouses(companyId)) batches.push(batch);
    return batches;
  };
  const warehousesOf = async (caller: Caller) => (await batchesOf(caller)).flat();

  it('read many warehouses in batches', async () => {
    const [caller, other] = [await givenCaller(context), await givenCaller(context)];
    await context.database.query(
      `insert into warehouses (company_id, name, created_at)
       select company_id, 'Store ' || n, now() from unnest($1::bigint[]) company_id, generate_series(1, 2500) n`,
      [[caller.companyId, other.companyId]],
    );
    const batches = await batchesOf(caller);
    expect(batches.map(({ length }) => length)).toEqual([1_000, 1_000, 500]);
    const names = batches.flat().map(({ name }) => name);
    expect(names).toEqual(Array.from({ length: 2_500 }, (_, index) => `Store ${index + 1}`));
  });

  it('are ordered by id, filtered, and limited to one company', async () => {
    const [caller, other] = [await givenCaller(context), await givenCaller(context)];
    expect(await warehousesOf(caller)).toEqual([]);
    const warehouses = [
      await givenWarehouse(context, caller, 'One'),
      await givenWarehouse(context, caller, 'Two'),
    ];
    const products = [await givenProduct(context, caller), await givenProduct(context, caller)];
    const all: number[] = [];
    for (const warehouseId of [warehouses[1]!, warehouses[0]!]) {
      for (const productId of products) {
        const given = { productId, warehouseId, quantity: 3, reserved: 1, lowStockThreshold: 2 };
        all.push((await givenStock(context, caller, given)).inventoryId);
      }
    }
    await givenStock(context, other);
    const listed = async (filter = {}, page = FIRST, of = caller) => {
      const { data, pagination } = await reader.listRecords(of.companyId, filter, page);
      return [data.map(({ id }) => id), pagination.total];
    };
    expect(await listed()).toEqual([all, 4]);
    expect(await listed({}, { limit: 2, offset: 1 })).toEqual([all.slice(1, 3), 4]);
    expect(await listed({}, { limit: 2, offset: 4 })).toEqual([[], 4]);
    expect(await listed({ warehouseId: warehouses[0] })).toEqual([all.slice(2), 2]);
    expect(await listed({ productId: products[1] })).toEqual([[all[1], all[3]], 2]);
    const one = { productId: products[1], warehouseId: warehouses[0] };
    expect(await listed(one)).toEqual([[all[3]], 1]);
    expect(await listed(one, FIRST, other)).toEqual([[], 0]);
    expect(await listed({ productId: 999_999 })).toEqual([[], 0]);
    const { data } = await reader.listRecords(caller.companyId, one, FIRST);
    expect(data).toEqual([{ id: all[3], ...one, quantity: 3, reservedQuantity: 1, lowStockThreshold: 2 }]);
    expect(await warehousesOf(caller)).toMatchObject([
      { id: warehouses[0], name: 'One', addressId: null },
      { id: warehouses[1], name: 'Two', addressId: null },
    ]);
  });
});
