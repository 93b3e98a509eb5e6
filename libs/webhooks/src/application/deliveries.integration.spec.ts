import { randomUUID } from 'node:crypto';
import { type Caller, Clock, Transactions } from '@counterfoil/kernel';
import { type EventType, Outbox } from '@counterfoil/outbox';
import { JobQueue, type NewJob } from '@counterfoil/queue';
import { startTestContext, type TestContext } from '@counterfoil/test-harness';
import { ENDPOINTS_MAX } from '../domain/endpoint';
import { FakeClock } from '../testing/fake-clock';
import { ACKNOWLEDGED, FakeSender, REFUSED } from '../testing/fake-sender';
import { WebhooksModule } from '../webhooks.module';
import { DeliverWebhook } from './deliver-webhook';
import { FanOutEvents } from './fan-out-events';
import { DeliveryRepository } from './ports/delivery.repository';
import { EndpointReader } from './ports/endpoint.reader';
import { WebhookSender } from './ports/webhook-sender';
import { RegisterEndpoint } from './register-endpoint';
import { RemoveEndpoint } from './remove-endpoint';
import { SweepDeliveries } from './sweep-deliveries';

/** A queue that can be away, and that tells what it was given. */
class RecordingQueue extends JobQueue {
  readonly delivered: NewJob<'webhook.deliver'>[] = [];
  away = false;

  override add(name: string, jobs: readonly unknown[]): Promise<void> {
    if (this.away) return Promise.reject(new Error('the queue is away'));
    if (name === 'webhook.deliver') this.delivered.push(...(jobs as NewJob<'webhook.deliver'>[]));
    return Promise.resolve();
  }
}

const MINUTE = 60_000;

describe('deliveries', () => {
  let context: TestContext;
  let caller: Caller;
  const sender = new FakeSender();
  const clock = new FakeClock();
  const queue = new RecordingQueue();

  beforeAll(async () => {
    context = await startTestContext([WebhooksModule], (builder) =>
      builder
        .overrideProvider(WebhookSender)
        .useValue(sender)
        .overrideProvider(Clock)
        .useValue(clock)
        .overrideProvider(JobQueue)
        .useValue(queue),
    );
  });
  afterAll(() => context.close());

  beforeEach(async () => {
    sender.sent.length = 0;
    sender.answer = () => ACKNOWLEDGED;
    queue.delivered.length = 0;
    queue.away = false;
    await context.database.query('truncate webhook_deliveries cascade');
    caller = await givenCaller();
  });

  async function givenCaller(): Promise<Caller> {
    const [row] = await context.database.query<{ id: number }>(
      `insert into companies (name, created_at) values ('Acme', now()) returning id::int`,
    );
    return { companyId: row?.id ?? 0, userId: 1, apiKeyId: 1, role: 'owner' };
  }

  const register = (events: string[] = ['*'], by = caller) =>
    context.get(RegisterEndpoint).execute(by, { url: 'https://example.com/hooks', events });

  /** The event's id. */
  async function happen(type: EventType = 'document.created', by = caller): Promise<string> {
    const mark = randomUUID();
    await context
      .get(Transactions)
      .run((tx) => context.get(Outbox).append(tx, by.companyId, [{ type, data: { mark } }]));
    const [event] = await context.database.query<{ id: string }>(
      `select id from outbox_events where body::jsonb #>> '{data,mark}' = $1`,
      [mark],
    );
    if (!event) throw new Error('the event is not there');
    return event.id;
  }

  async function deliveries() {
    return context.database.query<{
      id: number;
      event_id: string;
      endpoint_id: string;
      state: string;
      attempts: number;
      next: Date | null;
    }>(
      `select id::int, event_id, endpoint_id, state, attempts, next_attempt_at as next
         from webhook_deliveries where company_id = $1 order by id`,
      [caller.companyId],
    );
  }

  async function onlyDelivery() {
    const [delivery, ...others] = await deliveries();
    if (!delivery || others.length > 0) throw new Error('expected one delivery');
    return delivery;
  }

  it('fans an event out to each endpoint that wants it, and to no other company (W19)', async () => {
    const all = await register(['*']);
    const created = await register(['document.created']);
    await register(['charge.failed']);
    await register(['*'], await givenCaller());
    const eventId = await happen();
    const cancelled = await happen('document.cancelled');
    await context.get(FanOutEvents).execute();
    const made = await deliveries();
    expect(made.map((each) => [each.event_id, each.endpoint_id]).sort()).toEqual(
      [
        [eventId, all.id],
        [eventId, created.id],
        [cancelled, all.id],
      ].sort(),
    );
    expect(queue.delivered).toHaveLength(3);
  });

  it('fans out once, however many workers look at once (W15)', async () => {
    await register();
    const events = await Promise.all(Array.from({ length: 30 }, () => happen()));
    await Promise.all(Array.from({ length: 8 }, () => context.get(FanOutEvents).execute()));
    const made = await deliveries();
    expect(made.map((each) => each.event_id).sort()).toEqual(events.sort());
  });

  it('writes no event of a change that is rolled back', async () => {
    await register();
    const refused = context.get(Transactions).run(async (tx) => {
      await context.get(Outbox).append(tx, caller.companyId, [{ type: 'document.created', data: {} }]);
      throw new Error('refused');
    });
    await expect(refused).rejects.toThrow('refused');
    await context.get(FanOutEvents).execute();
    expect(await deliveries()).toEqual([]);
  });

  it('sends a delivery once, though its job runs several times at once', async () => {
    await register();
    await happen();
    await context.get(FanOutEvents).execute();
    const { id } = await onlyDelivery();
    await Promise.all(Array.from({ length: 5 }, () => context.get(DeliverWebhook).execute(id)));
    await context.get(DeliverWebhook).execute(id);
    expect(sender.sent).toHaveLength(1);
    expect(await onlyDelivery()).toMatchObject({ state: 'delivered', attempts: 1, next: null });
  });

  it('makes six attempts at the times of the table and never early, then drops (W8, W9)', async () => {
    sender.answer = () => REFUSED;
    await register();
    await happen();
    await context.get(FanOutEvents).execute();
    const { id } = await onlyDelivery();
    const deliver = () => context.get(DeliverWebhook).execute(id);
    const started = clock.now().getTime();
    const attemptsAt: number[] = [];
    for (const wait of [0, 1, 5, 30, 120, 720]) {
      clock.advance(wait * MINUTE - 1);
      await deliver();
      expect(sender.sent).toHaveLength(attemptsAt.length);
      clock.advance(1);
      await deliver();
      attemptsAt.push(Number(sender.sent.at(-1)?.headers['webhook-timestamp']) * 1000 - started);
    }
    expect(attemptsAt).toEqual([0, 1, 6, 36, 156, 876].map((minutes) => minutes * MINUTE));
    expect(await onlyDelivery()).toMatchObject({ state: 'dropped', attempts: 6, next: null });
    clock.advance(10_000 * MINUTE);
    await deliver();
    expect(sender.sent).toHaveLength(6);
    expect(queue.delivered.map(({ delayMs }) => delayMs)).toEqual(
      [0, 1, 5, 30, 120, 720].map((minutes) => minutes * MINUTE),
    );
  });

  it('counts each delay from the end of the attempt before', async () => {
    sender.answer = () => {
      clock.advance(9_000);
      return { status: null, failure: 'timeout', response: null };
    };
    await register();
    await happen();
    await context.get(FanOutEvents).execute();
    const { id } = await onlyDelivery();
    await context.get(DeliverWebhook).execute(id);
    expect((await onlyDelivery()).next?.getTime()).toBe(clock.now().getTime() + MINUTE);
  });

  it('lets a worker that was paused past its lease change nothing (W13)', async () => {
    await register();
    await happen();
    await context.get(FanOutEvents).execute();
    const { id } = await onlyDelivery();
    const repository = context.get(DeliveryRepository);
    const late = await repository.claim(id, clock.now(), 15_000);
    expect(await repository.claim(id, clock.now(), 15_000)).toBeNull();
    clock.advance(15_001);
    sender.answer = () => REFUSED;
    await context.get(DeliverWebhook).execute(id);
    const afterwards = await onlyDelivery();
    const attempt = {
      startedAt: clock.now(),
      durationMs: 1,
      outcome: ACKNOWLEDGED,
      next: { state: 'delivered', nextAttemptAt: null },
    } as const;
    expect(late && (await repository.record(late, attempt))).toBe(false);
    expect(await onlyDelivery()).toEqual(afterwards);
    const attempts = 'select status from webhook_attempts where delivery_id = $1';
    expect(await context.database.query(attempts, [id])).toEqual([{ status: 500 }]);
  });

  it('finds everything due again in PostgreSQL after the queue was away (W12)', async () => {
    await register();
    queue.away = true;
    await happen();
    await context.get(FanOutEvents).execute();
    const { id } = await onlyDelivery();
    expect(queue.delivered).toEqual([]);
    queue.away = false;
    await context.get(SweepDeliveries).execute();
    expect(queue.delivered).toEqual([]);
    clock.advance(2_001);
    await context.get(SweepDeliveries).execute();
    expect(queue.delivered).toEqual([{ id: `${id}-0`, payload: { deliveryId: id }, delayMs: 0 }]);
  });

  it('puts off, uncounted, what fails by our own fault, and goes on with it later', async () => {
    sender.answer = () => Promise.reject(new Error('our own fault'));
    await register();
    await happen();
    await context.get(FanOutEvents).execute();
    const { id } = await onlyDelivery();
    await expect(context.get(DeliverWebhook).execute(id)).rejects.toThrow('our own fault');
    expect(await onlyDelivery()).toMatchObject({ state: 'pending', attempts: 0 });
    queue.delivered.length = 0;
    clock.advance(50_000);
    await context.get(SweepDeliveries).execute();
    expect(queue.delivered).toEqual([]);
    clock.advance(13_000);
    await context.get(SweepDeliveries).execute();
    expect(queue.delivered.map(({ payload }) => payload.deliveryId)).toEqual([id]);
    sender.answer = () => ACKNOWLEDGED;
    await context.get(DeliverWebhook).execute(id);
    expect(await onlyDelivery()).toMatchObject({ state: 'delivered', attempts: 1 });
  });

  it('sweeps up what a worker that died had claimed, once its lease is over', async () => {
    await register();
    await happen();
    await context.get(FanOutEvents).execute();
    const { id } = await onlyDelivery();
    await context.get(DeliveryRepository).claim(id, clock.now(), 15_000);
    queue.delivered.length = 0;
    clock.advance(14_000);
    await context.get(SweepDeliveries).execute();
    expect(queue.delivered).toEqual([]);
    clock.advance(2_000);
    await context.get(SweepDeliveries).execute();
    expect(queue.delivered.map(({ payload }) => payload.deliveryId)).toEqual([id]);
  });

  it('drops what waits for an endpoint that is removed, and lets its late result change nothing (W11)', async () => {
    const endpoint = await register();
    await happen();
    await context.get(FanOutEvents).execute();
    const { id } = await onlyDelivery();
    sender.answer = async () => {
      await context.get(RemoveEndpoint).execute(caller, endpoint.id);
      return REFUSED;
    };
    await context.get(DeliverWebhook).execute(id);
    expect(await onlyDelivery()).toMatchObject({ state: 'dropped', attempts: 0, next: null });
    await happen();
    await context.get(FanOutEvents).execute();
    expect(await deliveries()).toHaveLength(1);
    await expect(context.get(RemoveEndpoint).execute(caller, endpoint.id)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it("removes no other company's endpoint", async () => {
    const endpoint = await register();
    await expect(context.get(RemoveEndpoint).execute(await givenCaller(), endpoint.id)).rejects.toMatchObject(
      {
        code: 'NOT_FOUND',
      },
    );
  });

  it('stops at the limit of endpoints, also when many register at once', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: ENDPOINTS_MAX + 10 }, () => register()));
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused.map(({ reason }) => (reason as { code: string }).code)).toEqual(
      Array(10).fill('LIMIT_REACHED'),
    );
    const { pagination } = await context.get(EndpointReader).list(caller.companyId, { limit: 1, offset: 0 });
    expect(pagination.total).toBe(ENDPOINTS_MAX);
  });

  it.each([
    ['no event', [], 'events'],
    ['an unknown event', ['document.created', 'document.exploded'], 'events[1]'],
    ['a name that every object has', ['constructor'], 'events[0]'],
  ])('refuses %s', async (_, events, field) => {
    await expect(register(events)).rejects.toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field }] });
  });

  it('stores the secret encrypted, and each endpoint has its own (W17)', async () => {
    const [first, second] = [await register(), await register()];
    expect(first.secret).not.toBe(second.secret);
    const rows = await context.database.query<{ row: string }>(
      'select e::text as row from webhook_endpoints e where company_id = $1',
      [caller.companyId],
    );
    expect(rows.map(({ row }) => row).join()).not.toContain(first.secret.slice(6, 20));
  });
});
