import { setTimeout as sleep } from 'node:timers/promises';
import {
  Figures,
  notePauses,
  type PauseMeter,
  percentile,
  queueStores,
  startPauseMeter,
  type TcpProxy,
  type TestStore,
} from '@counterfoil/test-harness';
import { FaultSite, msUntil, type Outcome, outcomeOf } from '../fault-site';

const OUTAGE_MS = 60_000;
const CALL_EVERY_MS = 500;
const ANSWERED_WITHIN_S = 15;
const BACK_WITHIN_S = 10;
const LOOK_FOR_MS = 60_000;
/** No call waits longer for Redis, in addition to its usual duration. */
const REDIS_PATIENCE_MS = 250;
const QUIET_MS = 10_000;
const QUIET_CALL_EVERY_MS = 100;
const DELAY_MS = 200;
const DELAYED_MS = 20_000;
/**
 * A delivery takes about ten steps after the commit. An event that only the sweep finds may take five
 * seconds.
 */
const DELAYED_EVENT_MAX_MS = 3_000;

const figures = new Figures();
let meter: PauseMeter;

beforeAll(() => {
  meter = startPauseMeter();
});
afterAll(() => meter.close());

async function onSite(store: TestStore, run: (site: FaultSite) => Promise<void>): Promise<void> {
  const broken = figures.broken.length;
  const site = await FaultSite.start(store, { ALLOCATION_NUMBERS: 'sandbox', LOG_LEVEL: 'silent' });
  try {
    const pausesOf = await meter.open();
    await run(site);
    notePauses(figures, await pausesOf());
  } finally {
    await site.close();
  }
  expect(figures.broken.slice(broken)).toEqual([]);
}

interface Fault {
  readonly name: string;
  begin(wire: TcpProxy): Promise<void> | void;
  end(wire: TcpProxy): Promise<void> | void;
}

const FAULTS: readonly Fault[] = [
  { name: 'silent, then goes on', begin: (wire) => wire.silence(), end: (wire) => wire.speak() },
  {
    name: 'silent, and forgets its connections',
    begin: (wire) => wire.silence(),
    end: (wire) => wire.speak(true),
  },
  { name: 'cut off', begin: (wire) => wire.cut(), end: (wire) => wire.mend() },
];

/**
 * Starts calls at a constant rate until the time is over, without waiting for the previous ones.
 *
 * @returns the calls, the last of which may still be running
 */
async function callDuring<Result>(
  durationMs: number,
  call: () => Promise<Result>[],
  everyMs = CALL_EVERY_MS,
): Promise<{ readonly calls: readonly Promise<Result>[] }> {
  const calls: Promise<Result>[] = [];
  const end = Date.now() + durationMs;
  while (Date.now() < end) {
    calls.push(...call());
    await sleep(everyMs);
  }
  return { calls };
}

const slowestMs = (outcomes: readonly Outcome<unknown>[]): number =>
  Math.max(...outcomes.map(({ tookMs }) => tookMs));

/** Writes that the worker completes later. */
interface Deferred {
  readonly retainer: Outcome<{ readonly retainerId: number }>;
  readonly charge: Outcome<{ readonly chargeId: number }>;
  readonly large: Outcome<{ readonly id: number }>;
}

async function beginDeferred(site: FaultSite, tokenId: number): Promise<Deferred> {
  const [retainer, charge, large] = await Promise.all([
    outcomeOf(site.createRetainer()),
    outcomeOf(site.charge(tokenId)),
    outcomeOf(site.issueLarge()),
  ]);
  return { retainer, charge, large };
}

/** Waits for the worker to complete the writes, and compares the durations with their bound. */
async function addDeferred(
  site: FaultSite,
  { retainer, charge, large }: Deferred,
  soon: ReturnType<typeof soonAfter>,
): Promise<void> {
  const [billedMs, settledMs, numberedMs] = await Promise.all([
    soon('the document of the retainer', () => site.hasBilled(retainer.body.retainerId)),
    soon('the charge', () => site.isSettled(charge.body.chargeId)),
    soon('the allocation number', () => site.hasNumber(large.body.id)),
  ]);
  addBack('the document of a retainer', billedMs);
  addBack('a pending charge settled', settledMs);
  addBack('an allocation number', numberedMs);
}

async function loseDatabase(site: FaultSite, fault: Fault): Promise<void> {
  const card = await site.saveSlowCard();
  const before = await site.issue();
  const fileId = await site.service.upload(`Total: ${fault.name}`);
  const finishUpload = await site.beginUpload();
  const extracted = await site.beginExtraction();
  const deferred = await beginDeferred(site, card.body.tokenId);
  await fault.begin(site.database);
  const underWay = [finishUpload(), extracted()];
  const { calls } = await callDuring<Outcome<unknown>>(OUTAGE_MS, () => [
    outcomeOf(site.issue()),
    outcomeOf(site.service.request('GET', '/documents')),
    outcomeOf(site.service.request('GET', '/health/ready')),
    outcomeOf(site.upload()),
    outcomeOf(site.extract(fileId)),
  ]);
  await fault.end(site.database);
  const soon = soonAfter(Date.now());
  const isRead = async () => (await site.service.request('GET', '/documents')).status === 200;
  let last = '';
  const isIssued = async () => {
    const { status, body } = await site.issue();
    last = body.visibleId;
    return status === 201;
  };
  const deferredWork = addDeferred(site, deferred, soon);
  const [readMs, issuedMs] = await Promise.all([soon('a read', isRead), soon('an issue', isIssued)]);
  const deliveredMs = await soon('the events', () =>
    [before.body.visibleId, last].every((visibleId) => site.hasArrived(visibleId)),
  );
  const outcomes = await Promise.all([...underWay, ...calls]);
  const odd = outcomes.filter(
    ({ status, retryAfter }) => !(status === 503 && retryAfter !== null) && status !== 200 && status !== 201,
  );
  figures.add('calls', outcomes.length);
  figures.add('neither 200, nor 201, nor 503 with Retry-After', odd.length, '', { atMost: 0 });
  figures.add('the slowest answer', slowestMs(outcomes) / 1_000, ' s', { atMost: ANSWERED_WITHIN_S });
  addBack('a read', readMs);
  addBack('a document issued', issuedMs);
  addBack('its event delivered', deliveredMs);
  await deferredWork;
  const { retainer, charge, large } = deferred;
  const refused = [retainer, charge, large].filter(({ status }) => status !== 201);
  figures.add('writes before it that were not answered 201', refused.length, '', { atMost: 0 });
}

/**
 * Returns the p99 of writes without faults. The first calls are slow because of cold caches, and are left
 * out.
 */
async function quietP99(site: FaultSite, tokenId: number): Promise<number> {
  const tookMs: number[] = [];
  for (let round = 0; round < 2; round++) {
    const { calls } = await callDuring(QUIET_MS / 2, () => [outcomeOf(site.issue())], QUIET_CALL_EVERY_MS);
    const outcomes = [...(await Promise.all(calls)), ...Object.values(await beginDeferred(site, tokenId))];
    if (round > 0) tookMs.push(...outcomes.map((outcome) => outcome.tookMs));
  }
  return percentile(tookMs, 0.99);
}

async function loseRedis(site: FaultSite, redis: TcpProxy, fault: Fault): Promise<void> {
  const { tokenId } = (await site.saveSlowCard()).body;
  const quietMs = await quietP99(site, tokenId);
  await fault.begin(redis);
  const { calls } = await callDuring(OUTAGE_MS, () => [outcomeOf(site.issue())]);
  const deferred = await beginDeferred(site, tokenId);
  await fault.end(redis);
  const outcomes = await Promise.all(calls);
  const soon = soonAfter(Date.now());
  const [eventsMs] = await Promise.all([
    soon('every event', () => outcomes.every(({ body }) => site.hasArrived(body.visibleId))),
    addDeferred(site, deferred, soon),
  ]);
  const { body } = await site.issue();
  const nextMs = await soonAfter(Date.now())('the next event', () => site.hasArrived(body.visibleId));
  addBack('every event delivered', eventsMs);
  figures.add('the event of the next document', nextMs, ' ms', { atMost: 1_000 });
  addWrites([...outcomes, ...Object.values(deferred)], quietMs);
}

async function delayRedis(site: FaultSite, redis: TcpProxy): Promise<void> {
  const { tokenId } = (await site.saveSlowCard()).body;
  const quietMs = await quietP99(site, tokenId);
  redis.delay(DELAY_MS);
  const began = Date.now();
  const calling = callDuring(DELAYED_MS, () => [issueAndAwait(site)]);
  const deferred = await beginDeferred(site, tokenId);
  await addDeferred(site, deferred, soonAfter(began));
  const issued = await Promise.all((await calling).calls);
  const delays = issued.map(({ eventMs }) => eventMs);
  figures.add('an event, p50', percentile(delays, 0.5), ' ms');
  figures.add('the slowest event', percentile(delays, 1), ' ms', { atMost: DELAYED_EVENT_MAX_MS });
  addWrites([...issued, ...Object.values(deferred)], quietMs);
}

/** @returns the outcome, and the time from the response to the event */
async function issueAndAwait(site: FaultSite): Promise<Outcome<unknown> & { readonly eventMs: number }> {
  const outcome = await outcomeOf(site.issue());
  const eventMs = await soonAfter(Date.now())('its event', () => site.hasArrived(outcome.body.visibleId));
  return { ...outcome, eventMs };
}

const soonAfter = (since: number) => (what: string, isSo: () => Promise<boolean> | boolean) =>
  msUntil(since, what, isSo, LOOK_FOR_MS);

function addBack(what: string, ms: number): void {
  figures.add(`back, ${what}`, ms / 1_000, ' s', { atMost: BACK_WITHIN_S });
}

/** @param quietMs the p99 of writes without faults */
function addWrites(outcomes: readonly Outcome<unknown>[], quietMs: number): void {
  const failed = outcomes.filter(({ status }) => status !== 201);
  figures.add('writes', outcomes.length);
  figures.add('writes not answered 201', failed.length, '', { atMost: 0 });
  const took = outcomes.map(({ tookMs }) => tookMs);
  figures.add('a write while all was well, p99', quietMs, ' ms');
  figures.add('a write, p50', percentile(took, 0.5), ' ms');
  figures.add('the slowest write', slowestMs(outcomes), ' ms', { atMost: quietMs + REDIS_PATIENCE_MS });
}

describe.each(queueStores())('with the $kind queue', (store) => {
  it.each(FAULTS)('a database that is $name', (fault) => {
    figures.heading(`${store.kind} queue: the database is ${fault.name}, ${OUTAGE_MS / 1_000} s`);
    return onSite(store, (site) => loseDatabase(site, fault));
  });

  if (store.kind !== 'redis') return;

  it.each(FAULTS)('a Redis that is $name', (fault) => {
    figures.heading(`Redis is ${fault.name}, ${OUTAGE_MS / 1_000} s`);
    return onSite(store, (site) => loseRedis(site, site.redis!, fault));
  });

  it(`a Redis with ${DELAY_MS} ms latency`, () => {
    figures.heading(`Redis is ${DELAY_MS} ms away in each direction`);
    return onSite(store, (site) => delayRedis(site, site.redis!));
  });
});
