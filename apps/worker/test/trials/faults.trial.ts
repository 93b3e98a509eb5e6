import { setTimeout as sleep } from 'node:timers/promises';
import { Figures, percentile, queueStores, type TcpProxy, type TestStore } from '@counterfoil/test-harness';
import { FaultSite, msUntil, type Outcome, outcomeOf } from '../fault-site';

const OUTAGE_MS = 60_000;
const CALL_EVERY_MS = 500;
const ANSWERED_WITHIN_S = 15;
const BACK_WITHIN_S = 10;
const LOOK_FOR_MS = 60_000;
/** The longest call while Redis is away: 250 ms of waiting, and its own work on a busy machine. */
const WITHOUT_REDIS_MS = 1_000;
const DELAY_MS = 200;

const figures = new Figures();

async function onSite(store: TestStore, run: (site: FaultSite) => Promise<void>): Promise<void> {
  const broken = figures.broken.length;
  const site = await FaultSite.start(store, { ALLOCATION_NUMBERS: 'sandbox', LOG_LEVEL: 'silent' });
  try {
    await run(site);
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
 * Calls at a steady pace until the time is over, whatever becomes of those before.
 *
 * @returns the calls, the last of which are still under way
 */
async function callDuring(
  durationMs: number,
  call: () => Promise<Outcome<unknown>>[],
): Promise<{ readonly calls: readonly Promise<Outcome<unknown>>[] }> {
  const calls: Promise<Outcome<unknown>>[] = [];
  const end = Date.now() + durationMs;
  while (Date.now() < end) {
    calls.push(...call());
    await sleep(CALL_EVERY_MS);
  }
  return { calls };
}

const slowestMs = (outcomes: readonly Outcome<unknown>[]): number =>
  Math.max(...outcomes.map(({ tookMs }) => tookMs));

async function loseDatabase(site: FaultSite, fault: Fault): Promise<void> {
  const before = await site.issue();
  const fileId = await site.service.upload(`Total: ${fault.name}`);
  const finishUpload = await site.beginUpload();
  const extracted = await site.beginExtraction();
  await fault.begin(site.database);
  const underWay = [finishUpload(), extracted()];
  const { calls } = await callDuring(OUTAGE_MS, () => [
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
}

async function loseRedis(site: FaultSite, redis: TcpProxy, fault: Fault): Promise<void> {
  const card = await site.saveSlowCard();
  await fault.begin(redis);
  const issued: string[] = [];
  const { calls } = await callDuring(OUTAGE_MS, () => {
    const call = outcomeOf(site.issue());
    void call.then(({ body }) => issued.push(body.visibleId));
    return [call];
  });
  const [retainer, charge, large] = await Promise.all([
    outcomeOf(site.createRetainer()),
    outcomeOf(site.charge(card.body.tokenId)),
    outcomeOf(site.issueLarge()),
  ]);
  await fault.end(redis);
  const outcomes = await Promise.all(calls);
  const soon = soonAfter(Date.now());
  const [eventsMs, billedMs, settledMs, numberedMs] = await Promise.all([
    soon('every event', () => issued.every((visibleId) => site.hasArrived(visibleId))),
    soon('the document of the retainer', () => site.hasBilled(retainer.body.retainerId)),
    soon('the charge', () => site.isSettled(charge.body.chargeId)),
    soon('the allocation number', () => site.hasNumber(large.body.id)),
  ]);
  const { body } = await site.issue();
  const nextMs = await soonAfter(Date.now())('the next event', () => site.hasArrived(body.visibleId));
  addWrites([...outcomes, retainer, charge, large]);
  addBack('every event delivered', eventsMs);
  addBack('the document of a retainer', billedMs);
  addBack('a pending charge settled', settledMs);
  addBack('an allocation number', numberedMs);
  figures.add('the event of the next document', nextMs, ' ms', { atMost: 1_000 });
}

async function delayRedis(site: FaultSite): Promise<void> {
  site.redis?.delay(DELAY_MS);
  const { calls } = await callDuring(20_000, () => [outcomeOf(site.issue())]);
  addWrites(await Promise.all(calls));
}

const soonAfter = (since: number) => (what: string, isSo: () => Promise<boolean> | boolean) =>
  msUntil(since, what, isSo, LOOK_FOR_MS);

function addBack(what: string, ms: number): void {
  figures.add(`back, ${what}`, ms / 1_000, ' s', { atMost: BACK_WITHIN_S });
}

function addWrites(outcomes: readonly Outcome<unknown>[]): void {
  const failed = outcomes.filter(({ status }) => status !== 201);
  figures.add('writes', outcomes.length);
  figures.add('writes not answered 201', failed.length, '', { atMost: 0 });
  const took = outcomes.map(({ tookMs }) => tookMs);
  figures.add('a write, p50', percentile(took, 0.5), ' ms');
  figures.add('the slowest write', slowestMs(outcomes), ' ms', { atMost: WITHOUT_REDIS_MS });
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

  it(`a Redis that is ${DELAY_MS} ms away`, () => {
    figures.heading(`Redis is ${DELAY_MS} ms away in each direction`);
    return onSite(store, delayRedis);
  });
});
