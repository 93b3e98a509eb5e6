import type { Caller } from '@counterfoil/kernel';
import { until } from '@counterfoil/test-harness';
import { DeliveryWorld } from '../testing/delivery-world';
import { ACKNOWLEDGED, REFUSED } from '../testing/fake-sender';
import { RedeliveryRepository } from './ports/redelivery.repository';
import { ReadDeliveries } from './read-deliveries';
import { RedeliverDelivery } from './redeliver-delivery';
import { RunRedelivery } from './run-redelivery';
import { StartRedelivery, type StartRedeliveryInput } from './start-redelivery';
import { RecoverDeliveries } from './recover-deliveries';

const MINUTE = 60_000;
const MANY = 25_000;

describe('redeliveries', () => {
  let world: DeliveryWorld;
  let caller: Caller;

  beforeAll(async () => {
    world = await DeliveryWorld.open({ WORKER_CONCURRENCY: '1000' });
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    await world.reset();
    caller = await world.givenCaller();
  });

  /** Inserts finished deliveries a minute apart, whose ids are not in that order. */
  async function givenEnded(endpointId: string, count: number, state = 'dropped'): Promise<void> {
    await world.context.database.query(
      `with event as (
         insert into outbox_events (id, company_id, type, body, created_at, relayed_at)
         select 'evt_' || n, $2, 'document.created', '{}', $4, $4 from generate_series(1, $3::int) n
         returning id
       )
       insert into webhook_deliveries
         (company_id, endpoint_id, event_id, event_type, state, attempts, tries, created_at, finished_at)
       select $2, $1, id, 'document.created', $5, 6, 6,
              $4::timestamptz - substr(id, 5)::int * interval '1 minute', $4
         from event order by md5(id)`,
      [endpointId, caller.companyId, count, world.clock.now(), state],
    );
  }

  const start = (endpointId: string, input: Partial<StartRedeliveryInput> = {}) =>
    world.context.get(StartRedelivery).execute(caller, endpointId, { since: new Date(0), ...input });
  const read = () => world.context.get(ReadDeliveries);

  async function states(): Promise<Record<string, number>> {
    const rows = await world.context.database.query<{ state: string; count: number }>(
      'select state, count(*)::int as count from webhook_deliveries group by state',
    );
    return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
  }

  it('send a dropped delivery again with a restarted retry table, the same bytes and a new signature', async () => {
    const { id } = await world.register(caller);
    world.sender.answer = () => REFUSED;
    await world.happen(caller);
    await world.relay();
    for (const wait of [1, 5, 30, 120, 720]) {
      world.clock.advance(wait * MINUTE);
      await world.wake(caller, id);
    }
    const dropped = await world.onlyDelivery(caller);
    expect(dropped).toMatchObject({ state: 'dropped', attempts: 6 });

    world.clock.advance(MINUTE);
    await world.context.get(RedeliverDelivery).execute(caller, id, dropped.id);
    await world.wake(caller, id);
    expect(await world.onlyDelivery(caller)).toMatchObject({ state: 'waiting', attempts: 7, tries: 1 });
    world.clock.advance(MINUTE);
    world.sender.answer = () => ACKNOWLEDGED;
    await world.wake(caller, id);
    expect(await world.onlyDelivery(caller)).toMatchObject({ state: 'delivered', attempts: 8 });
    expect(new Set(world.sender.sent.map(({ body }) => body)).size).toBe(1);
    expect(new Set(world.sender.sent.map(({ headers }) => headers['service-signature'])).size).toBe(8);
    const { attempts } = await read().find(caller, id, dropped.id);
    expect(attempts.map(({ attempt, status }) => [attempt, status])).toEqual(
      [1, 2, 3, 4, 5, 6, 7].map((attempt) => [attempt, 500]).concat([[8, 200]]),
    );
  });

  describe.each([0, 4, 5])('of a delivery whose attempt fails at that moment, after %i tries', (tries) => {
    it.each([
      [
        'by itself',
        (id: string, deliveryId: number) =>
          world.context.get(RedeliverDelivery).execute(caller, id, deliveryId),
      ],
      [
        'with its range',
        async (id: string) => {
          const replayId = await start(id);
          await world.context.get(RunRedelivery).execute(replayId);
        },
      ],
    ])('send it again, %s', async (_, redelivery) => {
      const { id } = await world.register(caller);
      await givenEnded(id, 1);
      await world.context.database.query(
        `update webhook_deliveries set state = 'waiting', tries = $1, attempts = 5, finished_at = null,
                next_attempt_at = created_at`,
        [tries],
      );
      const { id: deliveryId } = await world.onlyDelivery(caller);
      world.sender.answer = async () => {
        world.clock.advance(1);
        await redelivery(id, deliveryId);
        world.queue.woken.length = 0;
        world.sender.answer = () => ACKNOWLEDGED;
        return REFUSED;
      };
      await world.wake(caller, id);
      // Its lane is woken at once, without waiting for a retry.
      expect(world.queue.woken.at(-1)?.delayMs ?? 0).toBe(0);
      await world.wake(caller, id);
      expect(await world.onlyDelivery(caller)).toMatchObject({ state: 'delivered', attempts: 7, tries: 1 });
    });
  });

  it.each(['delivered', 'dropped'])('send one that was %s again, and only that one', async (state) => {
    const { id } = await world.register(caller);
    await givenEnded(id, 3, state);
    const [, second] = await world.deliveries(caller);
    await world.context.get(RedeliverDelivery).execute(caller, id, second?.id ?? 0);
    expect(world.queue.woken.map(({ payload }) => payload.endpointId)).toEqual([id]);
    await world.wake(caller, id);
    expect(world.sender.sent.map(({ headers }) => headers['webhook-id'])).toEqual([second?.eventId]);
  });

  it('do not find deliveries of another endpoint or company', async () => {
    const [one, other] = [await world.register(caller), await world.register(caller)];
    await givenEnded(one.id, 1);
    const { id } = await world.onlyDelivery(caller);
    const stranger = await world.givenCaller();
    const redelivery = world.context.get(RedeliverDelivery);
    const unknown = { code: 'NOT_FOUND' };
    await expect(redelivery.execute(caller, other.id, id)).rejects.toMatchObject(unknown);
    await expect(redelivery.execute(stranger, one.id, id)).rejects.toMatchObject(unknown);
    await expect(read().find(caller, other.id, id)).rejects.toMatchObject(unknown);
    await expect(read().find(stranger, one.id, id)).rejects.toMatchObject(unknown);
    const filter = { filter: {}, page: { limit: 10, offset: 0 } };
    await expect(read().list(stranger, one.id, filter)).rejects.toMatchObject(unknown);
    const range = { since: new Date(0) };
    await expect(world.context.get(StartRedelivery).execute(stranger, one.id, range)).rejects.toMatchObject(
      unknown,
    );
    const replayId = await start(one.id);
    await expect(read().findRedelivery(stranger, one.id, replayId)).rejects.toMatchObject(unknown);
    await expect(read().findRedelivery(caller, other.id, replayId)).rejects.toMatchObject(unknown);
  });

  it('send a range of one state, including both ends', async () => {
    const { id } = await world.register(caller);
    await givenEnded(id, 10);
    await world.context.database.query(
      `update webhook_deliveries set state = 'delivered' where event_id in ('evt_4', 'evt_5')`,
    );
    const minutesAgo = (minutes: number) => new Date(world.clock.now().getTime() - minutes * MINUTE);
    const replayId = await start(id, { since: minutesAgo(7), until: minutesAgo(3), state: 'dropped' });
    await world.context.get(RunRedelivery).execute(replayId);
    await world.lanes.settled();
    expect(world.sender.sent.map(({ headers }) => headers['webhook-id']).sort()).toEqual([
      'evt_3',
      'evt_6',
      'evt_7',
    ]);
    expect(await read().findRedelivery(caller, id, replayId)).toMatchObject({
      deliveries: 3,
      state: 'dropped',
    });
    await expect(start(id, { since: minutesAgo(1), until: minutesAgo(2) })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ field: 'until' }],
    });
  });

  it(`send ${MANY} again by one call, although the worker is lost twice`, async () => {
    const { id } = await world.register(caller);
    await givenEnded(id, MANY);
    const replayId = await start(id, { state: 'dropped' });
    const redeliveries = world.context.get(RedeliveryRepository);
    const step = redeliveries.step.bind(redeliveries);
    let steps = 0;
    // Simulates a process that is killed inside a transaction: the whole step is lost.
    const gone = jest.spyOn(redeliveries, 'step').mockImplementation(async (...args) => {
      const done = await step(...args);
      if (++steps === 5 || steps === 12) throw new Error('killed');
      return done;
    });
    const run = world.context.get(RunRedelivery);
    await expect(run.execute(replayId)).rejects.toThrow('killed');
    expect(await read().findRedelivery(caller, id, replayId)).toMatchObject({
      deliveries: 4_000,
      finishedAt: null,
    });
    await expect(run.execute(replayId)).rejects.toThrow('killed');
    gone.mockRestore();
    // A started redelivery is found without its job.
    await world.context.get(RecoverDeliveries).execute();
    const redelivery = await until(
      'the end of the replay',
      async () => {
        const seen = await read().findRedelivery(caller, id, replayId);
        return seen.finishedAt && seen;
      },
      60_000,
    );
    expect(redelivery).toMatchObject({ deliveries: MANY, finishedAt: world.clock.now() });
    await world.lanes.settled();
    expect(await states()).toEqual({ delivered: MANY });
    expect(new Set(world.sender.sent.map(({ headers }) => headers['webhook-id'])).size).toBe(MANY);
    expect(world.sender.sent).toHaveLength(MANY);
  }, 120_000);

  it('run one at a time for an endpoint, also with concurrent calls', async () => {
    const [one, other] = [await world.register(caller), await world.register(caller)];
    await givenEnded(one.id, 3);
    const asked = await Promise.allSettled(Array.from({ length: 8 }, () => start(one.id)));
    const started = asked.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    expect(started).toHaveLength(1);
    for (const refused of asked.filter(({ status }) => status === 'rejected')) {
      expect(refused).toMatchObject({
        reason: { code: 'INVALID_STATE', message: expect.stringContaining(`replay ${started[0]}`) },
      });
    }
    await start(other.id);
    await world.context.get(RunRedelivery).execute(started[0]!);
    await world.context.get(RunRedelivery).execute(await start(one.id));
    await world.lanes.settled();
  });

  it('can be started after a worker died or its job was lost', async () => {
    const { id } = await world.register(caller);
    await givenEnded(id, 3);
    const redeliveries = world.context.get(RedeliveryRepository);
    const gone = jest.spyOn(redeliveries, 'step').mockRejectedValueOnce(new Error('killed'));
    await expect(world.context.get(RunRedelivery).execute(await start(id))).rejects.toThrow('killed');
    gone.mockRestore();
    await expect(start(id)).rejects.toMatchObject({ code: 'INVALID_STATE' });
    await world.context.get(RecoverDeliveries).execute();
    const next = await until('the first to end', () => start(id).catch(() => null));
    await world.context.get(RunRedelivery).execute(next);
    await world.lanes.settled();
  });

  it('repeat nothing when several workers continue one concurrently', async () => {
    const { id } = await world.register(caller);
    await givenEnded(id, 3_500);
    const replayId = await start(id);
    const run = world.context.get(RunRedelivery);
    await Promise.all([run.execute(replayId), run.execute(replayId), run.execute(replayId)]);
    await run.execute(replayId);
    await world.lanes.settled();
    expect(world.sender.sent).toHaveLength(3_500);
    expect(await read().findRedelivery(caller, id, replayId)).toMatchObject({ deliveries: 3_500 });
  }, 60_000);
});

describe('the delivery list', () => {
  let world: DeliveryWorld;
  let caller: Caller;

  beforeAll(async () => {
    world = await DeliveryWorld.open();
    caller = await world.givenCaller();
  });
  afterAll(() => world.close());

  it('is ordered latest first, with attempts and combined filters', async () => {
    const { id } = await world.register(caller);
    const list = (filter: object, page = { limit: 10, offset: 0 }) =>
      world.context.get(ReadDeliveries).list(caller, id, { filter, page });
    world.sender.answer = () => REFUSED;
    const refused = await world.happen(caller);
    await world.relay();
    const firstAt = world.clock.now();
    world.clock.advance(1_000);
    world.sender.answer = () => ACKNOWLEDGED;
    const arrived = await world.happen(caller, 'document.cancelled');
    await world.relay();

    const all = await list({});
    const { durationMs = NaN } = all.data[1]?.attempts[0] ?? {};
    // In real time, because durations do not use the test's clock.
    expect(durationMs).toBeGreaterThanOrEqual(0);
    expect(durationMs).toBeLessThan(30_000);
    expect(all.pagination.total).toBe(2);
    expect(all.data.map(({ eventId }) => eventId)).toEqual([arrived, refused]);
    expect(all.data[1]).toEqual({
      id: expect.any(Number),
      eventId: refused,
      eventType: 'document.created',
      state: 'waiting',
      createdAt: firstAt,
      nextAttemptAt: new Date(firstAt.getTime() + MINUTE),
      attempts: [
        {
          attempt: 1,
          startedAt: firstAt,
          durationMs,
          status: 500,
          failure: 'status',
          response: 'no',
        },
      ],
    });
    const found = async (filter: object) => (await list(filter)).data.map(({ eventId }) => eventId);
    expect(await found({ state: 'delivered' })).toEqual([arrived]);
    expect(await found({ eventType: 'document.created' })).toEqual([refused]);
    expect(await found({ eventId: arrived })).toEqual([arrived]);
    expect(await found({ since: new Date(firstAt.getTime() + 1) })).toEqual([arrived]);
    expect(await found({ until: firstAt })).toEqual([refused]);
    expect(await found({ until: firstAt, state: 'delivered' })).toEqual([]);
    expect((await list({}, { limit: 1, offset: 1 })).data.map(({ eventId }) => eventId)).toEqual([refused]);
  });
});
