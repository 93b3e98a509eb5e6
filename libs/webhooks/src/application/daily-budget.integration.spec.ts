import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from '@counterfoil/kernel';
import { until } from '@counterfoil/test-harness';
import { DeliveryWorld } from '../testing/delivery-world';
import { ACKNOWLEDGED, REFUSED } from '../testing/fake-sender';
import { FanOutEvents } from './fan-out-events';
import { BudgetRepository } from './ports/budget.repository';
import { DeliveryRepository } from './ports/delivery.repository';
import { EndpointRepository } from './ports/endpoint.repository';
import { ReadDeliveries } from './read-deliveries';
import { RecoverDeliveries } from './recover-deliveries';

const BUDGET = 10;
const DAY_MS = 86_400_000;
/** Longer than the usual maximum duration of a claim. */
const CLAIM_TOO_LONG_MS = 2_200;

/** Returns the start of the next day in UTC. */
const dayAfter = (instant: Date) => new Date((Math.floor(instant.getTime() / DAY_MS) + 1) * DAY_MS);

describe('the daily budget of a company', () => {
  let world: DeliveryWorld;
  let caller: Caller;

  beforeAll(async () => {
    world = await DeliveryWorld.open({ WEBHOOK_DAILY_BUDGET: String(BUDGET) });
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    await world.reset();
    caller = await world.givenCaller();
    // Ensures that no test crosses the end of a day.
    world.clock.advance(dayAfter(world.clock.now()).getTime() - world.clock.now().getTime() + 3_600_000);
  });

  const sent = () => world.sender.sent.map(({ headers }) => headers['webhook-id']);

  async function used(): Promise<number | undefined> {
    const [row] = await world.context.database.query<{ used: number }>(
      'select used from webhook_budgets where company_id = $1',
      [caller.companyId],
    );
    return row?.used;
  }

  async function nextDay(): Promise<void> {
    world.clock.advance(dayAfter(world.clock.now()).getTime() - world.clock.now().getTime() + 5_000);
    await world.context.get(RecoverDeliveries).execute();
    await world.lanes.settled();
  }

  it('limits its attempts; further deliveries are waiting, and sent in order on later days', async () => {
    const { id } = await world.register(caller);
    const events: string[] = [];
    for (let count = 0; count < 25; count++) events.push(await world.happen(caller));
    await world.relay();
    expect(sent()).toEqual(events.slice(0, BUDGET));

    const page = { limit: 50, offset: 0 };
    const waiting = await world.context
      .get(ReadDeliveries)
      .list(caller, id, { filter: { state: 'waiting' }, page });
    expect(waiting.data).toHaveLength(15);
    for (const delivery of waiting.data)
      expect(delivery).toMatchObject({ nextAttemptAt: dayAfter(world.clock.now()), attempts: [] });

    await nextDay();
    expect(sent()).toEqual(events.slice(0, 2 * BUDGET));
    await nextDay();
    expect(sent()).toEqual(events);
    expect((await world.deliveries(caller)).every(({ state }) => state === 'delivered')).toBe(true);
  });

  it('applies to each company over all its endpoints, and includes retries', async () => {
    const stranger = await world.givenCaller();
    world.sender.answer = ({ url }) => (url.includes('refusing') ? REFUSED : ACKNOWLEDGED);
    const { id } = await world.register(caller, ['document.created'], 'https://refusing.example.com/');
    await world.register(caller, ['document.cancelled'], 'https://sound.example.com/');
    await world.register(stranger, ['*'], 'https://stranger.example.com/');
    for (let count = 0; count < 6; count++) await world.happen(caller, 'document.created');
    await world.relay();
    world.clock.advance(60_000);
    await world.wake(caller, id);
    expect(sent()).toHaveLength(BUDGET);
    await world.happen(caller, 'document.cancelled');
    for (let count = 0; count < 4; count++) await world.happen(stranger);
    await world.relay();
    const to = (host: string) => world.sender.sent.filter(({ url }) => url.includes(host)).length;
    expect([to('refusing'), to('sound'), to('stranger')]).toEqual([BUDGET, 0, 4]);
    await nextDay();
    expect(to('sound')).toBe(1);
  });

  it('is shared by several workers', async () => {
    await world.register(caller);
    const { id } = await world.register(caller, ['*'], 'https://other.example.com/');
    for (let count = 0; count < 20; count++) await world.happen(caller);
    const others = [world.anotherWorker(), world.anotherWorker()];
    await world.context.get(FanOutEvents).execute();
    for (const lanes of others) lanes.wake([{ companyId: caller.companyId, endpointId: id }]);
    await Promise.all([world.lanes, ...others].map((lanes) => lanes.settled()));
    expect(world.sender.sent).toHaveLength(BUDGET);
    expect(await used()).toBe(BUDGET);
  });

  it.each([
    ['paused', () => world.context.database.query('update webhook_endpoints set paused_at = now()')],
    ['suspended', () => world.context.database.query('update companies set suspended_at = now()')],
  ])('is refunded if the endpoint is %s while it is connected to, and nothing is sent', async (_, stop) => {
    await world.register(caller);
    const event = await world.happen(caller);
    world.sender.connecting = async () => {
      await stop();
      await sleep(300);
    };
    await world.relay();
    expect([sent(), await used()]).toEqual([[], 0]);
    expect(await world.onlyDelivery(caller)).toMatchObject({ state: 'pending', attempts: 0 });
    world.sender.connecting = () => Promise.resolve();
    await world.context.database.query('update webhook_endpoints set paused_at = null');
    await world.context.database.query('update companies set suspended_at = null');
    world.clock.advance(60_000);
    await world.context.get(RecoverDeliveries).execute();
    await world.lanes.settled();
    expect(sent()).toEqual([event]);
  });

  it('is refunded for an attempt whose confirmation came while the worker was too busy to read it', async () => {
    await world.register(caller);
    await world.happen(caller);
    const endpoints = world.context.get(EndpointRepository);
    const asked = jest.spyOn(endpoints, 'isActive').mockImplementation(async () => {
      await sleep(20);
      const until = performance.now() + 700;
      while (performance.now() < until);
      return true;
    });
    world.sender.connecting = () => sleep(300);
    try {
      await world.relay();
      expect([sent(), await used(), asked.mock.calls.length]).toEqual([[], 0, 1]);
      expect(await world.onlyDelivery(caller)).toMatchObject({ state: 'pending', attempts: 0 });
    } finally {
      asked.mockRestore();
      world.sender.connecting = () => Promise.resolve();
    }
  });

  it('that cannot be charged delays nothing until the end of a lease', async () => {
    await world.register(caller);
    const event = await world.happen(caller);
    const failing = jest.spyOn(world.context.get(BudgetRepository), 'charge');
    failing.mockRejectedValueOnce(new Error('canceling statement due to lock timeout'));
    try {
      await world.context.get(FanOutEvents).execute();
      await until('the delivery to be sent', () => world.sender.sent.length > 0);
      await world.lanes.settled();
      expect([failing.mock.calls.length, sent(), await used()]).toEqual([2, [event], 1]);
    } finally {
      failing.mockRestore();
    }
  });

  it('is refunded for an attempt that the database did not confirm in time, which is made after a pause', async () => {
    await world.register(caller);
    const event = await world.happen(caller);
    const endpoints = world.context.get(EndpointRepository);
    const slow = jest.spyOn(endpoints, 'isActive').mockImplementation(() => sleep(600, true));
    world.sender.connecting = () => sleep(300);
    await world.relay();
    expect([sent(), await used(), slow.mock.calls.length]).toEqual([[], 0, 1]);
    expect(await world.onlyDelivery(caller)).toMatchObject({ state: 'pending', attempts: 0 });
    // A database that needs less than half a second for each statement holds up nothing.
    slow.mockImplementation(() => sleep(350, true));
    world.clock.advance(60_000);
    await world.context.get(RecoverDeliveries).execute();
    await world.lanes.settled();
    expect([sent(), await used(), slow.mock.calls.length]).toEqual([[event], 1, 2]);
    slow.mockRestore();
    world.sender.connecting = () => Promise.resolve();
  });

  it('is refunded for a claim that took too long, even if it cannot be given back', async () => {
    await world.register(caller);
    for (let count = 0; count < 3; count++) await world.happen(caller);
    const repository = world.context.get(DeliveryRepository);
    const claim = repository.claim.bind(repository);
    const slow = jest.spyOn(repository, 'claim').mockImplementationOnce(async (...wanted) => {
      const claims = await claim(...wanted);
      await sleep(CLAIM_TOO_LONG_MS);
      return claims;
    });
    const away = jest.spyOn(repository, 'giveBack').mockRejectedValueOnce(new Error('the database is away'));
    try {
      await world.context.get(FanOutEvents).execute();
      await until('the claim to be given back', () => away.mock.calls.length > 0);
      await world.lanes.settled();
      expect(world.sender.sent).toEqual([]);
      expect(await used()).toBe(0);
    } finally {
      slow.mockRestore();
      away.mockRestore();
    }
  });
});
