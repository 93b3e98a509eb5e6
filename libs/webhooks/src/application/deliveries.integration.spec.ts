import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from '@counterfoil/kernel';
import { Presence, SessionSql, Sql, within } from '@counterfoil/database';
import { Transactions } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { Outbox } from '@counterfoil/outbox';
import { openTestContext, until } from '@counterfoil/test-harness';
import { CLAIM, RECORD } from '../adapters/postgres/delivery.sql';
import type { AttemptOutcome } from '../domain/delivery';
import { SLOTS_MAX } from '../domain/lane';
import { DeliveryWorld } from '../testing/delivery-world';
import { ACKNOWLEDGED, REFUSED } from '../testing/fake-sender';
import { anEvent } from '../testing/few-events';
import { FanOutEvents } from './fan-out-events';
import { type ClaimedDelivery, DeliveryRepository } from './ports/delivery.repository';
import { ReadDeliveries } from './read-deliveries';
import { RedeliverDelivery } from './redeliver-delivery';
import { RemoveEndpoint } from './remove-endpoint';
import { RecoverDeliveries } from './recover-deliveries';
import { TakeOverDeliveries } from './take-over-deliveries';

const MINUTE = 60_000;
/** Longer than a worker that starts waits for those that have claimed. */
const REPORTED_WITHIN_MS = 3_000;

describe('deliveries', () => {
  let world: DeliveryWorld;
  let caller: Caller;

  beforeAll(async () => {
    world = await DeliveryWorld.open();
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    await world.reset();
    caller = await world.givenCaller();
  });

  /** Creates due events that no worker has claimed. */
  async function givenDue(count = 1): Promise<void> {
    const { sender } = world;
    for (let made = 0; made < count; made++) await world.happen(caller);
    sender.answer = () => Promise.reject(new Error('not yet'));
    await world.relay();
    await world.context.database.query(
      `update webhook_deliveries set next_attempt_at = created_at, attempts = 0, tries = 0`,
    );
    sender.answer = () => ACKNOWLEDGED;
    sender.sent.length = 0;
  }

  const claim = async (endpointId: string, slots = 1): Promise<readonly ClaimedDelivery[]> => {
    const wanted = [{ endpointId, slots }];
    return (await world.context.get(DeliveryRepository).claim(wanted, world.clock.now(), 15_000)).claimed;
  };

  /** Executes the statement and then breaks its connection, the first time only. */
  function loseAnswerTo(statement: unknown, sql: Sql | SessionSql): { isLost: boolean } {
    const lost = { isLost: false };
    const rows = sql.rows.bind(sql) as (...asked: unknown[]) => Promise<object[]>;
    jest.spyOn(sql, 'rows').mockImplementation(async (...asked: unknown[]) => {
      const answer = await rows(...asked);
      if (lost.isLost || asked[0] !== statement) return answer;
      lost.isLost = true;
      throw Object.assign(new Error('the connection is gone'), { code: 'ETIMEDOUT' });
    });
    return lost;
  }

  /** Leases use the clock of the server, so the times of the rows are moved instead. */
  const age = (ms: number) =>
    world.context.database.query(
      'update webhook_deliveries set lease_until = lease_until - $1::interval where lease_until is not null',
      [`${ms} milliseconds`],
    );

  it('fans an event out to each subscribed endpoint, and to no other company', async () => {
    const all = await world.register(caller, ['*']);
    const created = await world.register(caller, ['document.created']);
    await world.register(caller, ['charge.failed']);
    await world.register(await world.givenCaller(), ['*']);
    const eventId = await world.happen(caller);
    const cancelled = await world.happen(caller, 'document.cancelled');
    await world.relay();
    const made = await world.deliveries(caller);
    expect(made.map((each) => [each.eventId, each.endpointId]).sort()).toEqual(
      [
        [eventId, all.id],
        [eventId, created.id],
        [cancelled, all.id],
      ].sort(),
    );
    expect(world.sender.sent).toHaveLength(3);
  });

  it('fans out once with concurrent workers', async () => {
    await world.register(caller);
    const events = await Promise.all(Array.from({ length: 30 }, () => world.happen(caller)));
    await Promise.all(Array.from({ length: 8 }, () => world.context.get(FanOutEvents).execute()));
    await world.lanes.settled();
    const made = await world.deliveries(caller);
    expect(made.map((each) => each.eventId).sort()).toEqual(events.sort());
    expect(world.sender.sent).toHaveLength(30);
  });

  it('writes no event of a change that is rolled back', async () => {
    await world.register(caller);
    const refused = world.context.get(Transactions).run(async (tx) => {
      await world.context.get(Outbox).append(tx, caller.companyId, [anEvent('document.created')]);
      // The event is written with the next statement.
      await within(tx).rows('select 1');
      throw new Error('refused');
    });
    await expect(refused).rejects.toThrow('refused');
    await world.relay();
    expect(await world.deliveries(caller)).toEqual([]);
  });

  it('sends a delivery once, although its endpoint is woken repeatedly', async () => {
    const { id } = await world.register(caller);
    await givenDue();
    const endpoint = { endpointId: id, companyId: caller.companyId };
    for (let turn = 0; turn < 5; turn++) world.lanes.wake([endpoint]);
    await world.lanes.settled();
    await world.wake(caller, id);
    expect(world.sender.sent).toHaveLength(1);
    expect(await world.onlyDelivery(caller)).toMatchObject({ state: 'delivered', attempts: 1, next: null });
  });

  it('makes six attempts at the times of the retry table and never early, then drops', async () => {
    const { sender, clock, queue } = world;
    sender.answer = () => REFUSED;
    const { id } = await world.register(caller);
    await world.happen(caller);
    const started = clock.now().getTime();
    await world.relay();
    const attemptsAt: number[] = [];
    for (const wait of [0, 1, 5, 30, 120, 720]) {
      if (wait > 0) {
        clock.advance(wait * MINUTE - 1);
        await world.wake(caller, id);
        expect(sender.sent).toHaveLength(attemptsAt.length);
        clock.advance(1);
        await world.wake(caller, id);
      }
      expect(sender.sent).toHaveLength(attemptsAt.length + 1);
      attemptsAt.push(Number(sender.sent.at(-1)?.headers['webhook-timestamp']) * 1000 - started);
    }
    expect(attemptsAt).toEqual([0, 1, 6, 36, 156, 876].map((minutes) => minutes * MINUTE));
    expect(await world.onlyDelivery(caller)).toMatchObject({ state: 'dropped', attempts: 6, next: null });
    clock.advance(10_000 * MINUTE);
    await world.wake(caller, id);
    expect(sender.sent).toHaveLength(6);
    const delays = queue.woken.map(({ delayMs = 0 }) => delayMs / MINUTE);
    expect(delays).toHaveLength(5);
    for (const [index, table] of [1, 5, 30, 120, 720].entries()) {
      expect(delays[index]).toBeGreaterThanOrEqual(table);
      expect(delays[index]).toBeLessThanOrEqual(table * 1.01);
    }
  });

  it('handles retries of an endpoint that are due together with one job', async () => {
    world.sender.answer = () => REFUSED;
    await world.register(caller);
    for (let made = 0; made < 40; made++) await world.happen(caller);
    await world.relay();
    expect(world.sender.sent).toHaveLength(40);
    expect(new Set(world.queue.woken.map(({ id }) => id)).size).toBe(1);
  });

  it('shows exactly when each attempt began and the next is due: its delay after the end', async () => {
    const { clock, context } = world;
    const lastsMs = 9_123;
    world.sender.answer = () => {
      clock.advance(lastsMs);
      return REFUSED;
    };
    const { id } = await world.register(caller);
    await world.happen(caller);
    let dueAt = clock.now();
    await world.relay();
    const { id: deliveryId } = await world.onlyDelivery(caller);
    const expectAttempt = async (attempt: number, state: string, delayMs: number | null): Promise<void> => {
      const endedAt = dueAt.getTime() + lastsMs;
      const nextAttemptAt = delayMs === null ? null : new Date(endedAt + delayMs);
      const shown = await context.get(ReadDeliveries).find(caller, id, deliveryId);
      expect(shown).toMatchObject({ state, nextAttemptAt });
      expect(shown.attempts.at(-1)).toMatchObject({ attempt, startedAt: dueAt, failure: 'status' });
      dueAt = nextAttemptAt ?? clock.now();
    };
    for (const [index, minutes] of [1, 5, 30, 120, 720].entries()) {
      await expectAttempt(index + 1, 'waiting', minutes * MINUTE);
      clock.set(dueAt);
      await world.wake(caller, id);
    }
    await expectAttempt(6, 'dropped', null);
    // A redelivery restarts the table.
    await context.get(RedeliverDelivery).execute(caller, id, deliveryId);
    await world.wake(caller, id);
    await expectAttempt(7, 'waiting', MINUTE);
  });

  it('ignores the result of a worker that was suspended past its lease', async () => {
    const { id: endpointId } = await world.register(caller);
    await givenDue();
    const { clock, sender } = world;
    const [late] = await claim(endpointId);
    expect(await claim(endpointId)).toEqual([]);
    await age(15_001);
    sender.answer = () => REFUSED;
    await world.wake(caller, endpointId);
    const afterwards = await world.onlyDelivery(caller);
    expect(afterwards).toMatchObject({ state: 'waiting', attempts: 1 });
    const attempt = {
      startedAt: clock.now(),
      durationMs: 1,
      outcome: ACKNOWLEDGED,
      next: { state: 'delivered', nextAttemptAt: null },
    } as const;
    const repository = world.context.get(DeliveryRepository);
    expect(late && (await repository.record([{ claim: late, attempt }]))).toEqual(new Map());
    await repository.giveBack(late ? [late] : [], clock.now());
    expect(await world.onlyDelivery(caller)).toEqual(afterwards);
    const attempts = 'select status from webhook_attempts where delivery_id = $1';
    expect(await world.context.database.query(attempts, [afterwards.id])).toEqual([{ status: 500 }]);
  });

  it('measures an attempt correctly although the clock is changed', async () => {
    await world.register(caller);
    await world.happen(caller);
    world.sender.answer = () => {
      world.clock.advance(60 * MINUTE);
      return REFUSED;
    };
    await world.relay();
    const [attempt] = await world.context.database.query<{ ms: number }>(
      'select duration_ms as ms from webhook_attempts order by delivery_id desc',
    );
    expect(attempt?.ms).toBeLessThan(MINUTE);
  });

  it('are sent within seconds, and once, although the answer to a claim is lost', async () => {
    const { id } = await world.register(caller);
    await givenDue(3);
    const lost = loseAnswerTo(CLAIM, world.context.get(SessionSql));
    const startedAt = performance.now();
    await world.wake(caller, id);
    await until('them to be delivered', async () => {
      const states = (await world.deliveries(caller)).map(({ state }) => state);
      return states.every((state) => state === 'delivered');
    });
    jest.restoreAllMocks();
    expect(lost.isLost).toBe(true);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect(world.sender.sent).toHaveLength(3);
  });

  describe('whose attempt is recorded', () => {
    const passedOn = 'a late attempt was not recorded: another worker has the claim';
    let warned: jest.SpyInstance;

    beforeEach(async () => {
      warned = jest.spyOn(world.context.get(Log), 'warn');
      world.sender.answer = () => REFUSED;
      await world.register(caller);
      await world.happen(caller);
    });
    afterEach(() => jest.restoreAllMocks());

    async function expectRetry(): Promise<void> {
      expect(await world.onlyDelivery(caller)).toMatchObject({ state: 'waiting', attempts: 1 });
      expect(world.queue.woken.map(({ delayMs = 0 }) => Math.round(delayMs / MINUTE))).toEqual([1]);
      expect(warned).not.toHaveBeenCalledWith(expect.anything(), passedOn);
    }

    it('have it once, with their retry, although the answer is lost', async () => {
      const lost = loseAnswerTo(RECORD, world.context.get(Sql));
      await world.relay();
      expect(lost.isLost).toBe(true);
      await expectRetry();
    });

    it('have it once, with their retry, although the database is slow', async () => {
      const { database } = world.context;
      await database.query(
        `create function record_slowly() returns trigger language plpgsql as
         'begin perform pg_sleep(4); return new; end'`,
      );
      await database.query(
        `create trigger record_slowly before insert on webhook_attempts for each row
         execute function record_slowly()`,
      );
      const startedAt = performance.now();
      await world.relay();
      await database.query('drop function record_slowly cascade');
      expect(performance.now() - startedAt).toBeLessThan(8_000);
      await expectRetry();
    });
  });

  it('finds everything due in PostgreSQL after the queue was unavailable (contract §15.13)', async () => {
    const { id: endpointId } = await world.register(caller);
    const { clock, queue, sender } = world;
    sender.answer = () => REFUSED;
    queue.away = true;
    await world.happen(caller);
    await world.relay();
    expect(queue.woken).toEqual([]);
    queue.away = false;
    sender.answer = () => ACKNOWLEDGED;
    clock.advance(MINUTE + 1_000);
    await world.context.get(RecoverDeliveries).execute();
    await world.lanes.settled();
    expect(await world.onlyDelivery(caller)).toMatchObject({ endpointId, state: 'waiting' });
    clock.advance(1_001);
    await world.context.get(RecoverDeliveries).execute();
    await world.lanes.settled();
    expect(await world.onlyDelivery(caller)).toMatchObject({ state: 'delivered', attempts: 2 });
  });

  it('postpones deliveries that fail because of an internal error without counting the attempt', async () => {
    const { id: endpointId } = await world.register(caller);
    const { clock, sender } = world;
    sender.answer = () => Promise.reject(new Error('our own fault'));
    await world.happen(caller);
    await world.relay();
    expect(await world.onlyDelivery(caller)).toMatchObject({ state: 'pending', attempts: 0 });
    sender.answer = () => ACKNOWLEDGED;
    clock.advance(59_999);
    await world.wake(caller, endpointId);
    expect(await world.onlyDelivery(caller)).toMatchObject({ state: 'pending', attempts: 0 });
    clock.advance(1);
    await world.wake(caller, endpointId);
    expect(await world.onlyDelivery(caller)).toMatchObject({ state: 'delivered', attempts: 1 });
  });

  it('sends the claims of a dead worker after its lease', async () => {
    const { id: endpointId } = await world.register(caller);
    await givenDue();
    expect(await claim(endpointId)).toHaveLength(1);
    world.clock.advance(MINUTE);
    const sweepAfter = async (ms: number) => {
      await age(ms);
      await world.context.get(RecoverDeliveries).execute();
      await world.lanes.settled();
    };
    await sweepAfter(10_000);
    expect(world.sender.sent).toEqual([]);
    await sweepAfter(5_000);
    expect(await world.onlyDelivery(caller)).toMatchObject({ state: 'delivered', attempts: 1 });
  });

  it('does not take the claims of a worker whose clock is wrong', async () => {
    const { id: endpointId } = await world.register(caller);
    await givenDue();
    expect(await claim(endpointId)).toHaveLength(1);
    // The clock of the other worker is correct.
    world.clock.advance(MINUTE);
    expect(await claim(endpointId)).toEqual([]);
    const repository = world.context.get(DeliveryRepository);
    expect(await repository.overdue(world.clock.now())).toEqual([]);
    expect(await repository.countClaimed(endpointId)).toBe(1);
  });

  it('sends the claims of a worker that has ended at once', async () => {
    await world.register(caller);
    await givenDue(3);
    const { id: own } = world.context.get(Presence);
    const [first] = await world.deliveries(caller);
    expect(await claim(first?.endpointId ?? '', 2)).toHaveLength(2);
    world.clock.advance(1);
    await world.context.get(TakeOverDeliveries).execute([own + 1]);
    await world.lanes.settled();
    // Only deliveries that were not claimed.
    expect(world.sender.sent).toHaveLength(1);
    await world.context.get(TakeOverDeliveries).execute([own]);
    await world.lanes.settled();
    expect(world.sender.sent).toHaveLength(3);
  });

  it('does not count a worker that has claimed as ended, although its presence is not connected', async () => {
    const { id: endpointId } = await world.register(caller);
    await givenDue();
    expect(await claim(endpointId)).toHaveLength(1);
    const { id: own } = world.context.get(Presence);
    const starting = await openTestContext(world.context.config);
    const ended: number[] = [];
    const owners: number[] = [];
    starting.get(Presence).start(
      (ids) => Promise.resolve(void ended.push(...ids)),
      async () => {
        owners.push(...(await world.context.get(TakeOverDeliveries).findOwners()));
        return owners;
      },
    );
    await sleep(REPORTED_WITHIN_MS);
    expect([owners, ended]).toEqual([[own], []]);
    await starting.close();
  });

  it('records under its new lease a delivery that it has claimed again, and sends it once', async () => {
    const { id: endpointId } = await world.register(caller);
    let answer = (_: AttemptOutcome): void => undefined;
    world.sender.answer = () => new Promise((resolve) => (answer = resolve));
    await world.happen(caller);
    await world.context.get(FanOutEvents).execute();
    await until('the attempt', () => world.sender.sent.length === 1);
    await age(15_001);
    world.lanes.wake([{ endpointId, companyId: caller.companyId }]);
    await until('another lease', async () => {
      const [row] = await world.context.database.query<{ renewed: boolean }>(
        'select lease_until > now() as renewed from webhook_deliveries',
      );
      return row?.renewed;
    });
    // The lease is visible in the database before the worker has read the answer to its claim.
    await sleep(100);
    answer(ACKNOWLEDGED);
    await world.lanes.settled();
    expect(world.sender.sent).toHaveLength(1);
    expect(await world.onlyDelivery(caller)).toMatchObject({ state: 'delivered', attempts: 1 });
  });

  it('sends a delivery that it gave back for lack of a slot, although it claims it again meanwhile', async () => {
    const { id: endpointId } = await world.register(caller);
    const send = world.sender.send.bind(world.sender);
    jest.spyOn(world.sender, 'send').mockResolvedValueOnce(null).mockImplementation(send);
    const repository = world.context.get(DeliveryRepository);
    const giveBack = repository.giveBack.bind(repository);
    const claims = jest.spyOn(repository, 'claim');
    jest.spyOn(repository, 'giveBack').mockImplementationOnce(async (given, dueAt) => {
      await giveBack(given, dueAt);
      const before = claims.mock.results.length;
      world.lanes.wake([{ endpointId, companyId: caller.companyId }]);
      await until('it to be claimed again', () => claims.mock.results.length > before);
      await claims.mock.results.at(-1)?.value;
    });
    await world.happen(caller);
    await world.relay();
    jest.restoreAllMocks();
    expect(await world.onlyDelivery(caller)).toMatchObject({ state: 'delivered', attempts: 1 });
  });

  it('claims at most the slots of an endpoint with concurrent workers', async () => {
    const { id: endpointId } = await world.register(caller);
    await givenDue(60);
    const claims = await Promise.all(Array.from({ length: 12 }, () => claim(endpointId, 10)));
    expect(claims.flat()).toHaveLength(SLOTS_MAX);
    expect(new Set(claims.flat().map(({ id }) => id)).size).toBe(SLOTS_MAX);
    const repository = world.context.get(DeliveryRepository);
    expect(await repository.claim([{ endpointId, slots: 1 }], world.clock.now(), 15_000)).toEqual({
      claimed: [],
      cut: [endpointId],
    });
    await age(15_001);
    expect(await claim(endpointId, 100)).toHaveLength(SLOTS_MAX);
  });

  it('claims the longest due deliveries first', async () => {
    const { id: endpointId } = await world.register(caller);
    await givenDue(3);
    const [first, second, third] = await world.deliveries(caller);
    await world.context.database.query(
      `update webhook_deliveries set next_attempt_at = next_attempt_at - interval '1 minute' where id = $1`,
      [third?.id],
    );
    const order = [await claim(endpointId), await claim(endpointId), await claim(endpointId)].flat();
    expect(order.map(({ id }) => id)).toEqual([third?.id, first?.id, second?.id]);
  });

  it('drops waiting deliveries of a removed endpoint, and ignores a late result', async () => {
    const endpoint = await world.register(caller);
    const { sender } = world;
    let removed = 0;
    sender.answer = async () => {
      if (removed++ === 0) await world.context.get(RemoveEndpoint).execute(caller, endpoint.id);
      return REFUSED;
    };
    await world.happen(caller);
    await world.relay();
    expect(await world.onlyDelivery(caller)).toMatchObject({ state: 'dropped', attempts: 0, next: null });
    await world.happen(caller);
    await world.relay();
    expect(await world.deliveries(caller)).toHaveLength(1);
    await expect(world.context.get(RemoveEndpoint).execute(caller, endpoint.id)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('completes a removal only when no claimed delivery can start any more', async () => {
    const { id: endpointId } = await world.register(caller);
    await givenDue();
    const [claimed] = await claim(endpointId);
    let removed = false;
    const removing = world.context
      .get(RemoveEndpoint)
      .execute(caller, endpointId)
      .then(() => (removed = true));
    await until('the removal to be seen', async () => {
      const sql = 'select 1 from webhook_endpoints where deleted_at is not null';
      return (await world.context.database.query(sql)).length === 1;
    });
    expect(await claim(endpointId)).toEqual([]);
    expect(removed).toBe(false);
    await world.context.get(DeliveryRepository).giveBack(claimed ? [claimed] : [], world.clock.now());
    await removing;
    expect(await world.onlyDelivery(caller)).toMatchObject({ state: 'dropped' });
  });

  it('finally drops very many deliveries of a removed endpoint', async () => {
    const endpoint = await world.register(caller);
    await world.context.database.query(
      `with event as (
         insert into outbox_events (id, company_id, type, body, created_at, relayed_at)
         select 'evt_' || n, $2, 'document.created', '{}', now(), now() from generate_series(1, 12000) n returning id
       )
       insert into webhook_deliveries (company_id, endpoint_id, event_id, event_type, state, next_attempt_at, created_at)
       select $2, $1, id, 'document.created', 'waiting', now() + interval '1 year', now() from event`,
      [endpoint.id, caller.companyId],
    );
    await world.context.get(RemoveEndpoint).execute(caller, endpoint.id);
    await world.context.get(RecoverDeliveries).execute();
    const left = `select 1 from webhook_deliveries where state <> 'dropped' limit 1`;
    expect(await world.context.database.query(left)).toEqual([]);
  });
});
