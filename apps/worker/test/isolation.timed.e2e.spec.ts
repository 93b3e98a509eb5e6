import { type Mood, queueStores, until } from '@counterfoil/test-harness';
import { runIsolation } from './trials/isolation-run';
import { IsolationSite, type Subscription } from './trials/isolation-site';

const HANG: Mood = { kind: 'hang' };
const BACKLOG = 200;
const IN_FLIGHT_MAX = 32;
/** Far less than the ten seconds of an attempt that hangs. */
const SOON_MS = 4_000;

describe.each(queueStores())('with the $kind queue, of four endpoints', (store) => {
  let site: IsolationSite;

  beforeAll(async () => {
    site = await IsolationSite.open(store, 2);
  });
  afterEach(() => site.heal());
  afterAll(() => site?.close());

  const tallyOf = async ({ path }: Subscription) => (await site.sink.state()).paths[path];

  it('a healthy one gets its events soon while three hang, each with 200 waiting', async () => {
    const [first, second, third, well] = site.subscriptions;
    const hanging = [first!, second!, third!];
    const sick: Subscription[] = [];
    for (const subscription of hanging) sick.push(await site.sicken(subscription, HANG));
    for (let count = 0; count < BACKLOG; count++)
      await Promise.all(sick.map((subscription) => site.writer.write(subscription)));
    await until('each of them to hang', async () => {
      const tallies = await Promise.all(sick.map(tallyOf));
      return tallies.every((tally) => tally && tally.inFlight > 0);
    });

    const events = [];
    for (let count = 0; count < 20; count++) events.push(await site.writer.write(well!));
    const ids = await site.writer.idsOf(events);
    const arrivals = new Map<string, number>();
    await until('the events of the one that is well', async () => {
      for (const { path, eventId, at } of await site.sink.take())
        if (path === well!.path) arrivals.set(eventId, Math.min(at, arrivals.get(eventId) ?? Infinity));
      return arrivals.size === events.length;
    });
    const latenciesMs = events.map(
      ({ number, committedAt }) => arrivals.get(ids.get(number) ?? '')! - committedAt,
    );
    expect(Math.max(...latenciesMs)).toBeLessThan(SOON_MS);
    for (const subscription of sick)
      expect((await tallyOf(subscription))?.maxInFlight).toBeLessThanOrEqual(IN_FLIGHT_MAX);
  });

  it.each<[Mood['kind'], Mood['kind']]>([
    ['hang', 'drip'],
    ['flood', 'reset'],
  ])(
    'healthy ones get all events soon, while one is at %s and one at %s',
    async (...kinds) => {
      const sick = kinds.map((kind) => ({ kind }) as Mood);
      const report = await runIsolation(site, { sick, perSecond: 100, durationMs: 3_000 });
      expect(report.committed).toBe(150);
      expect(report.delivered).toBe(150);
      expect(report.repeated).toBe(0);
      expect(report.largestMs).toBeLessThan(SOON_MS);
      expect(report.sickInFlightMax).toBeLessThanOrEqual(IN_FLIGHT_MAX);
      expect(report.sickRequests).toBeGreaterThan(0);
    },
    60_000,
  );
});
