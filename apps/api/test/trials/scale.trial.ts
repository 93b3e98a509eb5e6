import os from 'node:os';
import {
  Figures,
  percentile,
  queueStores,
  startProcesses,
  type ServiceProcesses,
  type TestStore,
} from '@counterfoil/test-harness';
import { closeConnections } from '../http-exchange';
import { stockProblems } from '../stock-problems';
import { type Company, companyIdOf, newCompany, read } from './company';
import { addDeliveries, type DeliveryVerdict, drainDeliveries, judgeDeliveries } from './delivery-verdict';
import { documentProblems } from './document-problems';
import { FeedReader, RowTexts } from './feed-reader';
import { FleetSite } from './fleet-site';
import { type Measured, ProcessorMeter, type Processors, ScaleLoad, type Seller } from './scale-load';

const COUNTS = [1, 2, 4];
const COMPANIES = 8;
const ENDPOINTS = 2;
/** For each API process: with more of them, each gets a smaller part of the calls. */
const WARM_UP_MS = 9_000;
const ISSUING_MS = 8_000;
/** Less than a load takes within its time. */
const STOCK = 150;
const FEED = { limit: 200, restarts: 0, fromBeginningBelow: 0, pausesMs: { onTheWay: 0, drained: 200 } };
/** Four processes on two processors may cost up to two fifths. */
const WORST_RATIO = 0.6;
/** Guards against a collapse while four APIs and four workers compete for two processors. */
const WORST_RATIO_OF_BOTH = 0.2;

interface Run {
  readonly issued: Measured;
  readonly issuing: Processors;
  readonly deliveredPerSecond: number;
  readonly delivering: Processors;
  /** Issuing and delivering at the same time. */
  readonly both: Measured;
  readonly doingBoth: Processors;
  readonly delaysMs: readonly number[];
  readonly stock: Measured;
  readonly verdict: DeliveryVerdict;
  readonly problems: readonly string[];
}

/** Creates a company with endpoints, a client and a stock record. */
async function furnish({ service, sink }: FleetSite): Promise<Company & Seller> {
  const company = await newCompany(service, [service.url]);
  for (let count = 0; count < ENDPOINTS; count++) {
    await company.post('/webhooks', { url: sink.urlOf(`/${company.entityId}/${count}`), events: ['*'] });
  }
  const { productId } = read<{ productId: number }>(
    await company.post('/products/create', { name: 'Paper', sku: 'A4' }),
  );
  const recordIn = async (name: string) => {
    const warehouse = await company.post('/warehouses/create', { name });
    const { warehouseId } = read<{ warehouseId: number }>(warehouse);
    const made = await company.post('/inventory/create', { productId, warehouseId });
    return read<{ inventoryId: number }>(made).inventoryId;
  };
  const inventoryId = await recordIn('Main');
  await company.post('/inventory/movements/create', { inventoryId, movementType: 'ADD', quantity: STOCK });
  return Object.assign(company, { inventoryId, otherInventoryId: await recordIn('Other') });
}

/** Returns what a reader of the feed missed that began before the load and ends after it. */
async function feedProblems(
  service: ServiceProcesses,
  company: Company,
  reader: FeedReader,
): Promise<string[]> {
  await reader.readUntil(() => true);
  const [row] = await service.database.query<{ count: number }>(
    'select count(*)::int as count from documents where company_id = $1',
    [await companyIdOf(service, company)],
  );
  const seen = reader.upserted.size;
  return seen === row?.count
    ? [...reader.faults]
    : [...reader.faults, `the feed has ${seen} of ${row?.count} documents`];
}

/**
 * Drains what has accumulated while no worker ran.
 *
 * @returns deliveries a second in the second half, when the code of the new workers is compiled
 */
async function drain({ service, fleet }: FleetSite, workers: number): Promise<number> {
  const since = Date.now();
  await fleet.startWorkers(workers);
  await drainDeliveries(service.database);
  const [half] = await service.database.query<{ perSecond: number }>(
    `select (count(*) / extract(epoch from max(ended) - min(ended)))::float8 as "perSecond"
       from (select ended, row_number() over (order by ended) > count(*) over () / 2 as is_late
               from webhook_attempts cross join lateral (select started_at + duration_ms * interval '1 ms') as t (ended)
              where started_at > to_timestamp($1 / 1000.0)) attempts
      where is_late`,
    [since],
  );
  return half?.perSecond ?? 0;
}

/** Times from the commit of each event to its arrival. */
async function delaysSince(
  { service }: FleetSite,
  { exchanges }: DeliveryVerdict,
  since: number,
): Promise<number[]> {
  const rows = await service.database.query<{ id: string; at: number }>(
    `select id, extract(epoch from created_at)::float8 * 1000 as at from outbox_events
      where created_at > to_timestamp($1 / 1000.0)`,
    [since],
  );
  const created = new Map(rows.map(({ id, at }) => [id, at]));
  return exchanges.flatMap(({ eventId, at }) => {
    const from = created.get(eventId);
    return from === undefined ? [] : [at - from];
  });
}

async function measure(site: FleetSite, count: number): Promise<Run> {
  const { service, fleet, sink } = site;
  const sellers: (Company & Seller)[] = [];
  while (sellers.length < COMPANIES) sellers.push(await furnish(site));
  const load = new ScaleLoad(fleet, sellers);
  try {
    await drainDeliveries(service.database);
    const before = await sink.take();
    const reader = new FeedReader(sellers[0]!, new RowTexts(), FEED);
    let isOver = false;
    const reading = reader.readUntil(() => isOver);
    await fleet.stopWorkers();
    await load.warmUp(WARM_UP_MS * count);
    const meter = await ProcessorMeter.open(service.database, fleet);
    const { result: issued, processors: issuing } = await meter.during(() => load.issue(ISSUING_MS));
    const { result: deliveredPerSecond, processors: delivering } = await meter.during(() =>
      drain(site, count),
    );
    // Workers have only met large batches until now.
    await load.warmUp(WARM_UP_MS * count);
    const since = Date.now();
    const { result: both, processors: doingBoth } = await meter.during(() => load.issue(ISSUING_MS));
    const stock = await load.takeStock();
    await drainDeliveries(service.database);
    isOver = true;
    await reading;
    const verdict = await judgeDeliveries(service.database, sink, before);
    const problems = [
      ...(await documentProblems(service.database)),
      ...(await stockProblems(service.database)),
      ...(await feedProblems(service, sellers[0]!, reader)),
    ];
    const delaysMs = await delaysSince(site, verdict, since);
    return {
      ...{ issued, issuing, deliveredPerSecond, delivering, both, doingBoth },
      ...{ delaysMs, stock, verdict, problems },
    };
  } finally {
    await load.close();
  }
}

/** Adds a rate, and how it compares with that of one process of each kind. */
function addRate(
  figures: Figures,
  name: string,
  [perSecond, ofOne]: readonly [number, number],
  atLeast = WORST_RATIO,
): void {
  figures.add(name, perSecond, ' /s');
  figures.add('… compared with one of each', perSecond / ofOne, 'x', { atLeast });
}

function addMeasured(
  figures: Figures,
  name: string,
  [measured, ofOne]: readonly [Measured, Measured],
  atLeast?: number,
): void {
  addRate(figures, name, [measured.perSecond, ofOne.perSecond], atLeast);
  figures.add('… p50', measured.p50Ms, ' ms');
  figures.add('… p99', measured.p99Ms, ' ms');
}

function noteProcessors(figures: Figures, processors: Processors): void {
  const used = Object.entries(processors).map(([part, share]) => `${part} ${share.toFixed(2)}`);
  figures.note(`processors of ${os.availableParallelism()}: ${used.join(', ')}`);
}

function print(figures: Figures, run: Run, first: Run): void {
  addMeasured(figures, 'documents issued, without workers', [run.issued, first.issued]);
  noteProcessors(figures, run.issuing);
  const delivered = [run.deliveredPerSecond, first.deliveredPerSecond] as const;
  addRate(figures, 'deliveries of what has accumulated', delivered);
  noteProcessors(figures, run.delivering);
  addMeasured(figures, 'documents issued, with workers', [run.both, first.both], WORST_RATIO_OF_BOTH);
  noteProcessors(figures, run.doingBoth);
  figures.add('event to delivery meanwhile, p50', percentile(run.delaysMs, 0.5), ' ms');
  figures.add('… p99', percentile(run.delaysMs, 0.99), ' ms');
  const moved = [run.stock, first.stock] as const;
  addMeasured(figures, 'stock movements, refused ones included, with workers', moved, WORST_RATIO_OF_BOTH);
  addDeliveries(figures, run.verdict);
  figures.add('faults in numbers, stock and feed', run.problems.length, '', { atMost: 0 });
}

async function runWith(store: TestStore, count: number): Promise<Run> {
  const size = { apis: count, workers: count };
  const site = await FleetSite.open(store, size, (settings) => startProcesses(store, settings));
  try {
    return await measure(site, count);
  } finally {
    closeConnections();
    await site.close();
  }
}

describe.each(queueStores())('with the $kind queue', (store) => {
  it('more processes lose nothing, and are not much slower than one of each', async () => {
    const figures = new Figures();
    const runs: Run[] = [];
    for (const count of COUNTS) {
      figures.heading(`${store.kind} queue, APIs and workers: ${count} of each`);
      const run = await runWith(store, count);
      runs.push(run);
      print(figures, run, runs[0]!);
    }
    expect(runs.flatMap(({ problems }) => problems)).toEqual([]);
    expect(figures.broken).toEqual([]);
  });
});
