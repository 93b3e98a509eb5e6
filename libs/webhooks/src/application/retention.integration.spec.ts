import type { Caller } from '@counterfoil/kernel';
import { DeliveryWorld } from '../testing/delivery-world';
import { ACKNOWLEDGED, REFUSED } from '../testing/fake-sender';
import { PurgeDeliveries } from './purge-deliveries';
import { RemoveEndpoint } from './remove-endpoint';
import { RedeliverDelivery } from './redeliver-delivery';

const DAY = 86_400_000;

describe('retention', () => {
  let world: DeliveryWorld;
  let caller: Caller;

  beforeAll(async () => {
    world = await DeliveryWorld.open({ WEBHOOK_RETENTION: '7d', WEBHOOK_RETRY_DELAYS: '1m' });
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    await world.reset();
    caller = await world.givenCaller();
  });

  const purge = () => world.context.get(PurgeDeliveries).execute();

  async function counts() {
    const [row] = await world.context.database.query(
      `select (select count(*)::int from webhook_deliveries) as deliveries,
              (select count(*)::int from webhook_attempts) as attempts,
              (select count(*)::int from outbox_events) as events,
              (select count(*)::int from webhook_endpoints) as endpoints`,
    );
    return row;
  }

  async function send(count = 1): Promise<void> {
    for (let sent = 0; sent < count; sent++) await world.happen(caller);
    await world.relay();
  }

  it('deletes delivered deliveries with their attempts and event after their time', async () => {
    await world.register(caller);
    await send(3);
    // An attempt takes a few real milliseconds, in addition to the time of the test's clock.
    const finished = new Date(world.clock.now().getTime() + 1_000);
    await world.context.database.query(
      `update webhook_deliveries d set finished_at = $1::timestamptz + (place - 2) * interval '1 millisecond'
         from (select id, row_number() over (order by id) as place from webhook_deliveries) as placed
        where placed.id = d.id`,
      [finished],
    );
    world.clock.advance(7 * DAY + 1_000);
    await send();
    const left = { deliveries: 4, attempts: 4, events: 4, endpoints: 1 };
    expect(await counts()).toEqual(left);
    // The purge keeps a delivery that finished exactly at the limit, and removes one that finished 1 ms
    // earlier.
    for (const remaining of [3, 2, 1]) {
      expect(await purge()).toBe(1);
      expect(await counts()).toEqual({
        ...left,
        deliveries: remaining,
        attempts: remaining,
        events: remaining,
      });
      expect(await purge()).toBe(0);
      world.clock.advance(1);
    }
  });

  it('keeps dropped and waiting deliveries, and sends them again however old they are', async () => {
    const { id } = await world.register(caller);
    world.sender.answer = () => REFUSED;
    await send();
    world.clock.advance(60_000);
    await world.wake(caller, id);
    await send();
    world.clock.advance(100 * DAY);
    expect(await purge()).toBe(0);
    expect(await counts()).toMatchObject({ deliveries: 2, events: 2 });
    world.sender.answer = () => ACKNOWLEDGED;
    const [dropped] = await world.deliveries(caller);
    expect(dropped?.state).toBe('dropped');
    await world.context.get(RedeliverDelivery).execute(caller, id, dropped?.id ?? 0);
    await world.wake(caller, id);
    expect(await world.deliveries(caller)).toMatchObject([{ state: 'delivered' }, { state: 'delivered' }]);
    expect(await purge()).toBe(0);
  });

  it('keeps an event as long as any of its deliveries, and one without deliveries no longer than others', async () => {
    await world.register(caller, ['document.created']);
    const { id } = await world.register(caller, ['document.created'], 'https://refusing.example.com/');
    world.sender.answer = ({ url }) => (url.includes('refusing') ? REFUSED : ACKNOWLEDGED);
    await send();
    await world.happen(caller, 'document.cancelled');
    await world.relay();
    world.clock.advance(60_000);
    await world.wake(caller, id);
    world.clock.advance(8 * DAY);
    expect(await purge()).toBe(1);
    expect(await counts()).toMatchObject({ deliveries: 1, events: 1 });
  });

  it('deletes a removed endpoint with all its deliveries', async () => {
    const { id } = await world.register(caller);
    await send(2);
    world.sender.answer = () => REFUSED;
    await send();
    await world.context.get(RemoveEndpoint).execute(caller, id);
    // The finish time of a delivery is its start plus the duration of the attempt.
    world.clock.advance(7 * DAY + 1_000);
    expect(await purge()).toBe(3);
    expect(await counts()).toEqual({ deliveries: 0, attempts: 0, events: 0, endpoints: 0 });
  });

  it('works in batches', async () => {
    const { id } = await world.register(caller);
    await world.context.database.query(
      `with event as (
         insert into outbox_events (id, company_id, type, body, created_at, relayed_at)
         select 'evt_' || n, $2, 'document.created', '{}', $3, $3 from generate_series(1, 5500) n returning id
       ), delivery as (
         insert into webhook_deliveries
           (company_id, endpoint_id, event_id, event_type, state, attempts, created_at, finished_at)
         select $2, $1, id, 'document.created', case when id like '%7' then 'dropped' else 'delivered' end, 1, $3, $3
           from event returning id
       )
       insert into webhook_attempts (delivery_id, attempt, started_at, duration_ms, status)
       select id, 1, $3, 5, 200 from delivery`,
      [id, caller.companyId, world.clock.now()],
    );
    world.clock.advance(8 * DAY);
    expect(await purge()).toBe(4_950);
    expect(await counts()).toMatchObject({ deliveries: 550, attempts: 550, events: 550 });
  });
});
