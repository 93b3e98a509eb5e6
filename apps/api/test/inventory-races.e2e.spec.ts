import {
  queueStores,
  startProcesses,
  type TestApiProcess,
  type ServiceProcesses,
  until,
} from '@counterfoil/test-harness';
import { expectError } from './error-body';
import { type Answer, closeConnections, exchange } from './http-exchange';
import { deadlocksIn, stockProblems } from './stock-problems';

interface Moved {
  readonly movementId: number;
  readonly previousQuantity: number;
  readonly newQuantity: number;
  readonly previousReservedQuantity: number;
  readonly newReservedQuantity: number;
  readonly targetInventoryId?: number;
}

interface StockRecord {
  readonly id: number;
  readonly productId: number;
  readonly warehouseId: number;
  readonly quantity: number;
  readonly reservedQuantity: number;
}

const CLIENTS = 16;
const MOVEMENTS = '/inventory/movements/create';
/** Error codes of a connection that ends with its process. */
const BROKEN = new Set(['ECONNRESET', 'ECONNREFUSED', 'EPIPE']);

let service: ServiceProcesses;
let second: TestApiProcess;
/** URLs of two processes on one database. */
let urls: readonly string[];

beforeAll(async () => {
  service = await startProcesses(queueStores()[0]!, { LOG_LEVEL: 'warn' });
  second = await service.startApiProcess();
  urls = [service.url, second.url];
});

afterEach(async () => expect(await stockProblems(service.database)).toEqual([]));

afterAll(async () => {
  closeConnections();
  await service.stop();
});

/** @param client odd and even clients use different processes */
const post = (client: number, path: string, body: object): Promise<Answer> =>
  exchange(urls[client % urls.length]!, { method: 'POST', path, body: JSON.stringify(body) });

async function made<T>(path: string, body: object): Promise<T> {
  const { status, text } = await post(0, path, body);
  if (status !== 201) throw new Error(`${path} answered ${status}: ${text}`);
  return JSON.parse(text) as T;
}

const makeProduct = async () =>
  (await made<{ productId: number }>('/products/create', { name: 'Paper', sku: 'A4' })).productId;
const makeWarehouse = async () =>
  (await made<{ warehouseId: number }>('/warehouses/create', { name: 'Main' })).warehouseId;

/** Creates a stock record in a new warehouse. */
async function given(productId: number, quantity: number, reserved = 0) {
  const warehouseId = await makeWarehouse();
  const { inventoryId } = await made<{ inventoryId: number }>('/inventory/create', {
    productId,
    warehouseId,
  });
  if (quantity > 0) await made(MOVEMENTS, { inventoryId, movementType: 'ADD', quantity });
  if (reserved > 0) await made(MOVEMENTS, { inventoryId, movementType: 'RESERVE', quantity: reserved });
  return { inventoryId, warehouseId };
}

async function recordsOf(productId: number): Promise<readonly StockRecord[]> {
  const { text } = await exchange(service.url, { method: 'GET', path: `/inventory?productId=${productId}` });
  return (JSON.parse(text) as { data: StockRecord[] }).data;
}

/** Runs `work` for all clients concurrently. */
const together = <T>(count: number, work: (client: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, client) => work(client)));

/** Returns the successful movements. All others must have failed because of insufficient stock. */
function taken(answers: readonly Answer[]): Moved[] {
  for (const answer of answers.filter(({ status }) => status !== 201)) {
    expectError(answer, { status: 409, code: 'INSUFFICIENT_STOCK', field: 'quantity' });
  }
  return answers.filter(({ status }) => status === 201).map(({ text }) => JSON.parse(text) as Moved);
}

describe('100 concurrent clients take 1 of 50 (contract §7.7)', () => {
  const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1);

  it.each([
    ['RESERVE', { quantity: 50, reserved: 0 }, { quantity: 50, reservedQuantity: 50 }],
    ['SUBTRACT', { quantity: 80, reserved: 30 }, { quantity: 30, reservedQuantity: 30 }],
    ['RELEASE', { quantity: 80, reserved: 50 }, { quantity: 80, reservedQuantity: 0 }],
    ['RELEASE_AND_SUBTRACT', { quantity: 80, reserved: 50 }, { quantity: 30, reservedQuantity: 0 }],
    ['TRANSFER', { quantity: 80, reserved: 30 }, { quantity: 30, reservedQuantity: 30 }],
  ])('with %s: exactly 50 succeed', async (movementType, holds, left) => {
    const productId = await makeProduct();
    const { inventoryId } = await given(productId, holds.quantity, holds.reserved);
    const target = movementType === 'TRANSFER' ? { targetWarehouseId: await makeWarehouse() } : {};
    const body = { inventoryId, movementType, quantity: 1, ...target };
    const answers = await together(100, (client) => post(client, MOVEMENTS, body));
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(50);
    const moved = taken(answers);
    expect(moved).toHaveLength(50);
    const steps = moved.map((one) =>
      Math.abs(
        movementType.startsWith('RE')
          ? one.newReservedQuantity - holds.reserved
          : one.newQuantity - holds.quantity,
      ),
    );
    expect(steps.sort((one, other) => one - other)).toEqual(upTo(50));
    const [record] = await recordsOf(productId);
    expect(record).toMatchObject({ id: inventoryId, ...left });
  });
});

describe('16 concurrent clients transfer (contract §7.7)', () => {
  it('in opposite directions: they fail only because of insufficient stock, and nothing is lost', async () => {
    const productId = await makeProduct();
    const [one, other] = [await given(productId, 12), await given(productId, 9)];
    const answers = await together(CLIENTS, async (client) => {
      const [from, to] = client % 4 < 2 ? [one, other] : [other, one];
      const { inventoryId } = from;
      const answered: Answer[] = [];
      for (let turn = 0; turn < 40; turn++) {
        const quantity = 1 + ((client + turn) % 5);
        const body = { inventoryId, movementType: 'TRANSFER', quantity, targetWarehouseId: to.warehouseId };
        answered.push(await post(client, MOVEMENTS, body));
      }
      return answered;
    });
    expect(taken(answers.flat()).length).toBeGreaterThan(CLIENTS);
    const records = await recordsOf(productId);
    expect(records.map(({ warehouseId }) => warehouseId)).toEqual([one.warehouseId, other.warehouseId]);
    expect(records.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(21);
  });

  it('in a circle, while others make movements of all other types', async () => {
    const productId = await makeProduct();
    const places = await Promise.all([30, 30, 30, 30].map((quantity) => given(productId, quantity)));
    const OTHERS = [
      'RESERVE',
      'RELEASE',
      'ADD',
      'SUBTRACT',
      'ADD_AND_RESERVE',
      'RELEASE_AND_SUBTRACT',
      'ADJUST',
    ];
    const answers = await together(CLIENTS, async (client) => {
      const answered: Answer[] = [];
      for (let turn = 0; turn < 30; turn++) {
        const { inventoryId } = places[(client + turn) % 4]!;
        // A quarter of the transfers goes one, two and three places further each.
        const { warehouseId } = places[(client + turn + 1 + (client % 3)) % 4]!;
        const other = OTHERS[(client + turn) % OTHERS.length]!;
        const isTransfer = client % 4 !== 3;
        const body = { inventoryId, movementType: isTransfer ? 'TRANSFER' : other, quantity: 0.1 + turn };
        answered.push(
          await post(client, MOVEMENTS, isTransfer ? { ...body, targetWarehouseId: warehouseId } : body),
        );
      }
      return answered;
    });
    expect(taken(answers.flat()).length).toBeGreaterThan(CLIENTS);
    expect(await recordsOf(productId)).toHaveLength(4);
  });

  it('to a warehouse without a record: exactly one is created', async () => {
    for (let round = 0; round < 5; round++) {
      const productId = await makeProduct();
      const sources = await Promise.all([5, 5, 5, 5].map((quantity) => given(productId, quantity)));
      const targetWarehouseId = await makeWarehouse();
      const answers = await together(CLIENTS, (client) => {
        // The clients of both processes are distributed evenly over the sources.
        const { inventoryId } = sources[(client >> 1) % 4]!;
        return post(client, MOVEMENTS, {
          inventoryId,
          movementType: 'TRANSFER',
          quantity: 1,
          targetWarehouseId,
        });
      });
      const moved = taken(answers);
      expect(moved).toHaveLength(CLIENTS);
      const records = await recordsOf(productId);
      expect(records).toHaveLength(5);
      const target = records.find(({ warehouseId }) => warehouseId === targetWarehouseId)!;
      expect(target).toMatchObject({ quantity: CLIENTS, reservedQuantity: 0 });
      expect(new Set(moved.map(({ targetInventoryId }) => targetInventoryId))).toEqual(new Set([target.id]));
    }
  });

  it('to each other’s warehouse, where neither has a record of the product', async () => {
    for (let round = 0; round < 5; round++) {
      const products = [await makeProduct(), await makeProduct()] as const;
      const places = [await given(products[0], 8), await given(products[1], 8)] as const;
      const answers = await together(CLIENTS, (client) => {
        const side = (client >> 1) % 2;
        const { inventoryId } = places[side]!;
        const { warehouseId: targetWarehouseId } = places[1 - side]!;
        return post(client, MOVEMENTS, {
          inventoryId,
          movementType: 'TRANSFER',
          quantity: 1,
          targetWarehouseId,
        });
      });
      expect(taken(answers)).toHaveLength(CLIENTS);
      for (const productId of products) {
        expect((await recordsOf(productId)).map(({ quantity }) => quantity)).toEqual([0, 8]);
      }
    }
  });
});

describe('16 concurrent clients create one stock record', () => {
  it('and one creates it: the others get alreadyExists', async () => {
    for (let round = 0; round < 10; round++) {
      const body = { productId: await makeProduct(), warehouseId: await makeWarehouse() };
      const answers = await together(CLIENTS, (client) => post(client, '/inventory/create', body));
      const [first, ...others] = [...answers].sort((one, other) => other.status - one.status);
      expect([first!, ...others].map(({ status }) => status)).toEqual([201, ...others.map(() => 200)]);
      const { inventoryId } = JSON.parse(first!.text) as { inventoryId: number };
      expect(JSON.parse(first!.text)).toEqual({ success: true, inventoryId });
      for (const { text } of others) {
        expect(JSON.parse(text)).toEqual({ success: true, inventoryId, alreadyExists: true });
      }
      expect(await recordsOf(body.productId)).toMatchObject([{ id: inventoryId, quantity: 0 }]);
    }
  });

  it('and all get alreadyExists if a transfer created it', async () => {
    for (let round = 0; round < 5; round++) {
      const productId = await makeProduct();
      const { inventoryId } = await given(productId, CLIENTS);
      const warehouseId = await makeWarehouse();
      const transfer = { inventoryId, movementType: 'TRANSFER', quantity: 1, targetWarehouseId: warehouseId };
      const answers = await together(CLIENTS, (client) =>
        client % 4 < 2
          ? post(client, MOVEMENTS, transfer)
          : post(client, '/inventory/create', { productId, warehouseId, lowStockThreshold: 3 }),
      );
      const [, target, ...more] = await recordsOf(productId);
      expect(more).toEqual([]);
      expect(target).toMatchObject({ warehouseId, quantity: CLIENTS / 2 });
      for (const [client, { status, text }] of answers.entries()) {
        const { inventoryId: created, targetInventoryId = created } = JSON.parse(text) as {
          inventoryId?: number;
          targetInventoryId?: number;
        };
        expect({ client, status, id: targetInventoryId }).toEqual({
          ...{ client, status: client % 4 < 2 ? 201 : expect.any(Number), id: target!.id },
        });
      }
      expect(answers.filter(({ text }) => /"inventoryId":\d+}/.test(text)).length).toBeLessThanOrEqual(1);
    }
  });
});

describe('the list while 16 clients make movements', () => {
  interface Read {
    readonly data: readonly { readonly movement: Moved & { readonly id: number } }[];
    readonly pagination: { readonly total: number };
  }

  it('has the exact total in every page, for all queries and in both processes', async () => {
    const { inventoryId } = await given(await makeProduct(), 0);
    // Each adds 1, so the quantity of the last one is their number.
    const body = { inventoryId, movementType: 'ADD', quantity: 1, reason: 'counted' };
    const filters = ['', '&movementType=ADD', '&reason=counted', '&reason=un'];
    const all = 400;
    let left = all;
    let isOver = false;
    const write = async (client: number) => {
      while (left-- > 0) taken([await post(client, MOVEMENTS, body)]);
    };
    const totals: number[] = [];
    const read = async (reader: number) => {
      let [seen, turn] = [0, 0];
      do {
        const query = `inventoryId=${inventoryId}&limit=3${filters[(reader + turn) % filters.length]!}`;
        const path = `/inventory/movements?${query}`;
        const { text } = await exchange(urls[reader % urls.length]!, { method: 'GET', path });
        const { data, pagination } = JSON.parse(text) as Read;
        const [newest = { movement: { newQuantity: 0 } }] = data;
        expect({ query, total: pagination.total }).toEqual({ query, total: newest.movement.newQuantity });
        expect(pagination.total).toBeGreaterThanOrEqual(seen);
        seen = pagination.total;
        totals.push(seen);
        turn += 1;
      } while (!isOver || turn % filters.length !== 0);
      return seen;
    };
    // A cached count must not include rows to which an open transaction may still add.
    const held = service.database.hold('select pg_current_xact_id()');
    await held.ready;
    const writing = together(CLIENTS, write).finally(() => {
      isOver = true;
      return held.release();
    });
    await Promise.all([writing, together(4, read)]);
    expect(await together(4, read)).toEqual([all, all, all, all]);
    expect(new Set(totals).size).toBeGreaterThan(10);
  });
});

describe('a process killed during a burst of movements', () => {
  /** Records movements until the process ends, and collects the answers. */
  async function burst(url: string, bodies: readonly object[], answered: Moved[]): Promise<void> {
    for (let turn = 0; ; turn++) {
      const body = JSON.stringify(bodies[turn % bodies.length]);
      try {
        const answer = await exchange(url, { method: 'POST', path: MOVEMENTS, body });
        answered.push(...taken([answer]));
      } catch (error) {
        if (BROKEN.has(String((error as { code?: string }).code))) return;
        throw error;
      }
    }
  }

  it.each([1, 2, 3])(
    'keeps exactly what it acknowledged, and the other continues at once (round %d)',
    async () => {
      const productId = await makeProduct();
      const places = await Promise.all([50, 50, 50].map((quantity) => given(productId, quantity)));
      const bodies = places.flatMap(({ inventoryId }, place) => {
        const targetWarehouseId = places[(place + 1) % 3]!.warehouseId;
        return [
          { inventoryId, movementType: 'TRANSFER', quantity: 2, targetWarehouseId },
          { inventoryId, movementType: 'ADD', quantity: 0.1, reason: 'counted' },
          { inventoryId, movementType: 'ADD_AND_RESERVE', quantity: 0.2 },
          { inventoryId, movementType: 'RELEASE_AND_SUBTRACT', quantity: 0.3 },
        ];
      });
      const victim = await service.startApiProcess();
      const answered: Moved[] = [];
      const bursts = together(24, (client) =>
        burst(victim.url, [...bodies.slice(client % bodies.length), ...bodies], answered),
      );
      await until('a good many answers', () => answered.length > 150);
      await victim.process.kill('SIGKILL');
      await bursts;

      // Locks of the killed process do not block.
      const started = Date.now();
      for (const { inventoryId } of places) {
        await made(MOVEMENTS, { inventoryId, movementType: 'ADD', quantity: 1 });
      }
      expect(Date.now() - started).toBeLessThan(2_000);
      const rows = await service.database.query<{ row: Moved }>(
        `select json_build_object('movementId', id, 'previousQuantity', previous_quantity, 'newQuantity', new_quantity,
                  'previousReservedQuantity', previous_reserved_quantity,
                  'newReservedQuantity', new_reserved_quantity) as row
           from stock_movements where id = any ($1)`,
        [answered.map(({ movementId }) => movementId)],
      );
      const kept = new Map(rows.map(({ row }) => [row.movementId, row]));
      for (const one of answered) expect(one).toMatchObject(kept.get(one.movementId) ?? { missing: true });
      expect(kept.size).toBe(answered.length);
    },
  );
});

it('and PostgreSQL had no deadlocks', async () => {
  const { database } = service;
  /** Counts the connections of the processes, which set an application name unlike the test. */
  const connected = async () => {
    const rows = await database.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and application_name <> ''`,
    );
    return rows.map(({ pid }) => pid);
  };
  const before = await connected();
  expect(before.length).toBeGreaterThan(0);
  // The statistics of a connection are complete when it has closed.
  await Promise.all([second.process.kill('SIGTERM'), service.replaceApi(), service.replaceWorker()]);
  await until('their connections to end', async () => {
    const left = new Set(await connected());
    return before.every((pid) => !left.has(pid));
  });
  expect(await deadlocksIn(database)).toBe(0);
});
