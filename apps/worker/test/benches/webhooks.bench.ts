import {
  createTestDatabase,
  Figures,
  median,
  percentile,
  queueStores,
  startEventSink,
  startService,
  testConfig,
  type TestDatabase,
  type TestStore,
} from '@counterfoil/test-harness';
import { setTimeout as sleep } from 'node:timers/promises';
import { BarePosts } from './bare-posts';
import { ClaimBench } from './claim-bench';
import { WorkerHere } from './worker-here';
import { BenchCompany, collect, received } from './webhook-bench-world';

const ENDPOINTS = 10;
const DELIVERIES = 12_000;
const ROUNDS = 5;
/** A higher number does not increase the rate. */
const BARE_IN_FLIGHT = 64;
const RATIO_MIN = { redis: 0.5, postgresql: 0.3 } as const;
const RATES = [50, 200];
const RATE_SECONDS = 20;
const WARM_UP_EVENTS = 200;

describe.each(queueStores())('on the $kind queue', (store) => {
  it('delivers durably at a large share of the rate of bare posts', async () => {
    const figures = new Figures();
    figures.heading(
      `${store.kind}: ${DELIVERIES} deliveries to ${ENDPOINTS} endpoints, ${ROUNDS} rounds in turn`,
    );
    const { bare, durable } = await paces(store);
    figures.add('the same posts, bare, connections kept', median(bare), ' /s');
    figures.add('durable signed deliveries', median(durable), ' /s');
    const ratios = durable.map((rate, round) => rate / (bare[round] ?? NaN));
    figures.add('durable against bare', median(ratios), ' x', { atLeast: RATIO_MIN[store.kind] });
    expect(figures.broken).toEqual([]);
  });

  it('sends soon after the commit', async () => {
    const figures = new Figures();
    const sink = await startEventSink();
    const service = await startService(store, reaching(sink.certificateFile));
    const config = testConfig(service.database.url, { REDIS_URL: store.redisUrl ?? '', ...LOOPBACK });
    const company = await BenchCompany.open(config, service.database, { sink, endpoints: ENDPOINTS });
    try {
      await offer(company, { rate: 100, from: 0, count: WARM_UP_EVENTS });
      await collect(sink, WARM_UP_EVENTS);
      let turn = WARM_UP_EVENTS;
      for (const rate of RATES) {
        const count = rate * RATE_SECONDS;
        const committed = await offer(company, { rate, from: turn, count });
        turn += count;
        const received = await collect(sink, count);
        const marks = await eventMarks(service.database);
        const delays = received.map(
          ({ eventId, at }) => at - (committed.get(marks.get(eventId) ?? '') ?? NaN),
        );
        figures.add(`${store.kind}: commit to first byte at ${rate}/s, p50`, percentile(delays, 0.5), ' ms');
        figures.add(
          `${store.kind}: commit to first byte at ${rate}/s, p95`,
          percentile(delays, 0.95),
          ' ms',
          {
            atMost: 40,
          },
        );
      }
    } finally {
      await company.close();
      await service.stop();
      await sink.close();
    }
    expect(figures.broken).toEqual([]);
  });
});

it('claims as fast with a million waiting retries as with a thousand', async () => {
  const figures = new Figures();
  figures.heading('claiming 16 of one endpoint; the queue store has no part in it');
  const [few, many] = [await ClaimBench.open(1_000), await ClaimBench.open(1_000_000)];
  try {
    const [p95Few, p95Many] = await ClaimBench.inTurn(few, many);
    figures.add('claim with 1,000 waiting, p95', p95Few, ' ms');
    figures.add('claim with 1,000,000 waiting, p95', p95Many, ' ms');
    figures.add('the one against the other', p95Many / p95Few, ' x', { atMost: 1.5 });
  } finally {
    await few.close();
    await many.close();
  }
  expect(figures.broken).toEqual([]);
});

const LOOPBACK = { OUTBOUND_ALLOWED_CIDRS: '127.0.0.1/32' };
const reaching = (certificateFile: string) => ({
  ...LOOPBACK,
  NODE_EXTRA_CA_CERTS: certificateFile,
  LOG_LEVEL: 'silent',
});

/**
 * Returns the rates per second of bare posts and of deliveries in each round. Both are sent from this
 * process.
 */
async function paces(store: TestStore): Promise<{ bare: number[]; durable: number[] }> {
  const sink = await startEventSink();
  const database = await createTestDatabase();
  const config = testConfig(database.url, { REDIS_URL: store.redisUrl ?? '', ...LOOPBACK });
  const company = await BenchCompany.open(config, database, { sink, endpoints: ENDPOINTS });
  const worker = await WorkerHere.start(config, sink.certificateFile);
  const posts = new BarePosts(sink.certificateFile, company.secrets[0] ?? '', BARE_IN_FLIGHT);
  const [bare, durable]: [number[], number[]] = [[], []];
  try {
    for (let round = 0; round <= ROUNDS; round++) {
      const bodies = 'x'.repeat(600);
      const bareMs = await timed(() => posts.send(company.urls, bodies, DELIVERIES));
      await collect(sink, DELIVERIES);
      await company.writeUnsignalled(database, DELIVERIES);
      const durableMs = await timed(async () => {
        company.signal();
        await received(sink, 2 * DELIVERIES * (round + 1));
        await worker.allDelivered(database);
      });
      await collect(sink, DELIVERIES);
      // The first round is a warm-up.
      if (round === 0) continue;
      bare.push(DELIVERIES / (bareMs / 1_000));
      durable.push(DELIVERIES / (durableMs / 1_000));
    }
  } finally {
    posts.close();
    await worker.stop();
    await company.close();
    await sink.close();
    await database.drop();
  }
  return { bare, durable };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Commits this many events per second, each separately. Returns the time of each commit. */
async function offer(
  company: BenchCompany,
  { rate, from, count }: { readonly rate: number; readonly from: number; readonly count: number },
): Promise<Map<string, number>> {
  const committed = new Map<string, number>();
  const started = performance.now();
  const commits: Promise<void>[] = [];
  for (let made = 0; made < count; made++) {
    const wait = started + (made / rate) * 1_000 - performance.now();
    if (wait > 0) await sleep(wait);
    commits.push(company.commit(from + made).then(({ mark, at }) => void committed.set(mark, at)));
  }
  await Promise.all(commits);
  return committed;
}

/** Returns the commit mark of each event by its id. */
async function eventMarks(database: TestDatabase): Promise<Map<string, string>> {
  const rows = await database.query<{ id: string; mark: string }>(
    `select id, body::jsonb #>> '{data,mark}' as mark from outbox_events`,
  );
  return new Map(rows.map(({ id, mark }) => [id, mark]));
}
