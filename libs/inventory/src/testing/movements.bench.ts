import { randomBytes } from 'node:crypto';
import { IdentityModule } from '@counterfoil/identity';
import type { Caller } from '@counterfoil/kernel';
import {
  DEMO_KEY,
  Figures,
  median,
  ofRounds,
  percentile,
  PlainClient,
  queueStores,
  ratesInTurn,
  type SentStatement,
  startHttpLoad,
  startService,
  startTestContext,
  transactionOf,
  type TestContext,
  type TestService,
} from '@counterfoil/test-harness';
import { MOVE } from '../adapters/postgres/stock.sql';
import { type RecordMovementInput, RecordMovement } from '../application/record-movement';
import { InventoryModule } from '../inventory.module';
import { aMovement } from './a-movement';
import { givenCaller } from './given-caller';
import { givenProduct, givenStock, givenWarehouse } from './given-stock';

const PAIRS = 64;
const SLICES = { rounds: 9, sliceMs: 1_000, callers: 16 };

/** Two stock records of one product. */
interface Pair {
  readonly ids: readonly [number, number];
  readonly warehouses: readonly [number, number];
}

const figures = new Figures();
let context: TestContext;
let caller: Caller;
let plain: PlainClient;
const pairs: Pair[] = [];
let turn = 0;

beforeAll(async () => {
  context = await startTestContext([InventoryModule, IdentityModule]);
  caller = await givenCaller(context);
  const warehouses = [await givenWarehouse(context, caller), await givenWarehouse(context, caller)] as const;
  for (let count = 0; count < PAIRS; count++) {
    const productId = await givenProduct(context, caller);
    const [one, other] = [
      await givenStock(context, caller, { productId, warehouseId: warehouses[0], quantity: 1_000_000 }),
      await givenStock(context, caller, { productId, warehouseId: warehouses[1], quantity: 1_000_000 }),
    ];
    pairs.push({ ids: [one.inventoryId, other.inventoryId], warehouses });
  }
  plain = new PlainClient(context.config.databaseUrl, SLICES.callers);
});

afterAll(async () => {
  await plain.close();
  await context.close();
});

const record = (asked: RecordMovementInput) => context.get(RecordMovement).execute(caller, asked);
const details = { reason: 'Sold', referenceId: 7731, referenceType: 'SALE', unitPrice: 12.5 };
const add = (inventoryId: number) => aMovement({ inventoryId, quantity: 1, ...details });

const nextPair = (): Pair => pairs[turn++ % PAIRS]!;

/** Copies a statement of a movement for another record, with a new event id. */
function copyStatement({ text, name, values }: SentStatement, inventoryId: number): SentStatement {
  const changed =
    name === MOVE.name ? values.map((value, index) => (index === 0 ? [inventoryId] : value)) : values;
  return {
    text,
    name,
    values: changed.map((value) => (Array.isArray(value) ? value.map(renewEventId) : value)),
  };
}

function renewEventId(entry: unknown): unknown {
  const isId = typeof entry === 'string' && entry.startsWith('evt_');
  return isId ? `evt_${randomBytes(16).toString('hex')}` : entry;
}

/** Alternates the direction, so that no record runs out. */
function nextTransfer(): RecordMovementInput {
  const back = Math.floor(turn / PAIRS) % 2;
  const { ids, warehouses } = nextPair();
  const [inventoryId, targetWarehouseId] = back ? [ids[1], warehouses[0]] : [ids[0], warehouses[1]];
  return aMovement({ inventoryId, movementType: 'TRANSFER', targetWarehouseId, quantity: 1, ...details });
}

it('costs at most twice the bare statements', async () => {
  figures.heading(`movements of stock in process: ${SLICES.callers} callers, ${2 * PAIRS} records, a second`);
  const statements = await transactionOf(() => record(add(pairs[0]!.ids[0])));
  const bare = (inventoryId: number) =>
    plain.send(statements.map((sent) => copyStatement(sent, inventoryId)));
  const calls = {
    distinct: () => record(add(nextPair().ids[0])),
    distinctBare: () => bare(nextPair().ids[0]),
    hot: () => record(add(pairs[0]!.ids[0])),
    hotBare: () => bare(pairs[0]!.ids[0]),
    transfer: () => record(nextTransfer()),
  };
  const names = Object.keys(calls) as (keyof typeof calls)[];
  const rates = await ratesInTurn(names, SLICES, (name) => calls[name]());
  figures.add('movements of distinct records', median(rates.distinct), ' /s');
  figures.add('the same statements through pg', median(rates.distinctBare), ' /s');
  figures.add('against them', ofRounds(rates.distinct, rates.distinctBare), ' x', { atLeast: 0.5 });
  figures.add('movements of one hot record', median(rates.hot), ' /s');
  figures.add('the same statements through pg', median(rates.hotBare), ' /s');
  figures.add('against them', ofRounds(rates.hot, rates.hotBare), ' x', { atLeast: 0.5 });
  figures.add('transfers', median(rates.transfer), ' /s');
  figures.add('against movements of one record', ofRounds(rates.transfer, rates.distinct), ' x', {
    atLeast: 0.5,
  });
  expect(figures.broken).toEqual([]);
});

it('measures movements over HTTP', async () => {
  figures.heading(`movements of stock over HTTP: ${SLICES.callers} clients, a second`);
  const service = await startService(queueStores()[0]!, { LOG_LEVEL: 'silent' });
  const load = startHttpLoad();
  try {
    const ids = await createStock(service);
    const posted = (of: readonly number[]) => {
      const bodies = of.map((inventoryId) => ({ inventoryId, movementType: 'ADD', quantity: 1, ...details }));
      const posts = bodies.map((body) => ({
        path: '/inventory/movements/create',
        body: JSON.stringify(body),
      }));
      const headers = { Authorization: `Bearer ${DEMO_KEY}` };
      return load.run({ url: service.url, headers, posts, clients: SLICES.callers, durationMs: 3_000 });
    };
    await posted(ids);
    for (const [name, of] of [
      ['movements of distinct records', ids],
      ['movements of one hot record', ids.slice(0, 1)],
    ] as const) {
      const { perSecond, tookMs } = await posted(of);
      figures.add(name, perSecond, ' /s');
      figures.add('p95', percentile(tookMs, 0.95), ' ms');
    }
  } finally {
    await load.close();
    await service.stop();
  }
});

/** Creates stock records of the demo company. */
async function createStock(service: TestService): Promise<number[]> {
  const create = async (path: string, body: object, name: string): Promise<number> =>
    (await service.request<Record<string, number>>('POST', path, body)).body[name]!;
  const warehouseId = await create('/warehouses/create', { name: 'Main' }, 'warehouseId');
  const ids: number[] = [];
  for (let count = 0; count < PAIRS; count++) {
    const productId = await create('/products/create', { name: 'Paper', sku: `A${count}` }, 'productId');
    ids.push(await create('/inventory/create', { productId, warehouseId }, 'inventoryId'));
  }
  return ids;
}
