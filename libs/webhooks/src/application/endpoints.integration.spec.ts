import { createHmac } from 'node:crypto';
import type { Caller } from '@counterfoil/kernel';
import { ENDPOINTS_MAX, FORMER_SECRETS_MAX } from '../domain/endpoint';
import { DeliveryWorld } from '../testing/delivery-world';
import { ACKNOWLEDGED, REFUSED } from '../testing/fake-sender';
import { FanOutEvents } from './fan-out-events';
import { PauseEndpoint } from './pause-endpoint';
import { EndpointReader } from './ports/endpoint.reader';
import { RecoverDeliveries } from './recover-deliveries';
import { RemoveEndpoint } from './remove-endpoint';
import { RotateSecret } from './rotate-secret';
import { SendTestEvent } from './send-test-event';
import { UpdateEndpoint } from './update-endpoint';

const HOUR = 3_600_000;

describe('endpoints', () => {
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

  it('are limited in number, also with concurrent registrations', async () => {
    const registering = Array.from({ length: ENDPOINTS_MAX + 10 }, () => world.register(caller));
    const outcomes = await Promise.allSettled(registering);
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused.map(({ reason }) => (reason as { code: string }).code)).toEqual(
      Array(10).fill('LIMIT_REACHED'),
    );
    const page = { limit: 1, offset: 0 };
    const { pagination } = await world.context.get(EndpointReader).list(caller.companyId, page);
    expect(pagination.total).toBe(ENDPOINTS_MAX);
  });

  it.each([
    ['no event', [], 'events'],
    ['an unknown event', ['document.created', 'document.exploded'], 'events[1]'],
    ['a name that every object has', ['constructor'], 'events[0]'],
  ])('cannot be registered or changed to get %s', async (_, events, field) => {
    const refusal = { code: 'VALIDATION_FAILED', details: [{ field }] };
    await expect(world.register(caller, events)).rejects.toMatchObject(refusal);
    const { id } = await world.register(caller);
    await expect(world.context.get(UpdateEndpoint).execute(caller, id, { events })).rejects.toMatchObject(
      refusal,
    );
  });

  it('have separate secrets, stored encrypted (contract §15.3)', async () => {
    const [first, second] = [await world.register(caller), await world.register(caller)];
    expect(first.secret).not.toBe(second.secret);
    await world.context.get(RotateSecret).execute(caller, first.id);
    const rows = await world.context.database.query<{ row: string }>(
      'select e::text as row from webhook_endpoints e where company_id = $1',
      [caller.companyId],
    );
    expect(rows.map(({ row }) => row).join()).not.toContain(first.secret.slice(6, 20));
  });

  it('cannot be read, changed or removed by another company', async () => {
    const { id } = await world.register(caller);
    const stranger = await world.givenCaller();
    const { context } = world;
    const attempts = [
      () => context.get(EndpointReader).find(stranger.companyId, id),
      () => context.get(UpdateEndpoint).execute(stranger, id, { events: ['*'] }),
      () => context.get(PauseEndpoint).pause(stranger, id),
      () => context.get(PauseEndpoint).resume(stranger, id),
      () => context.get(RotateSecret).execute(stranger, id),
      () => context.get(SendTestEvent).execute(stranger, id),
      () => context.get(RemoveEndpoint).execute(stranger, id),
    ];
    for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await context.get(EndpointReader).find(caller.companyId, id)).toMatchObject({ pausedAt: null });
  });

  it('get deliveries at their current URL, including waiting ones', async () => {
    const { id } = await world.register(caller, ['*'], 'https://old.example.com/');
    world.sender.answer = ({ url }) =>
      url === 'https://old.example.com/' ? REFUSED : { status: 200, failure: null, response: '' };
    await world.happen(caller);
    await world.relay();
    const changed = await world.context
      .get(UpdateEndpoint)
      .execute(caller, id, { url: 'https://new.example.com/', events: ['document.cancelled'] });
    expect(changed).toMatchObject({ id, url: 'https://new.example.com/', events: ['document.cancelled'] });
    await world.happen(caller, 'document.created');
    world.clock.advance(60_000);
    await world.relay();
    await world.wake(caller, id);
    expect(world.sender.sent.map(({ url }) => url)).toEqual([
      'https://old.example.com/',
      'https://new.example.com/',
    ]);
  });

  it('lose no event while they are paused, and get all of them when they are resumed', async () => {
    const { id } = await world.register(caller);
    const pause = world.context.get(PauseEndpoint);
    await pause.pause(caller, id);
    const since = (await world.context.get(EndpointReader).find(caller.companyId, id)).pausedAt;
    expect(since).toEqual(world.clock.now());
    expect(await world.context.get(EndpointReader).countPaused()).toBe(1);
    const events = [await world.happen(caller), await world.happen(caller)];
    await world.relay();
    await world.wake(caller, id);
    expect(world.sender.sent).toEqual([]);
    world.clock.advance(90 * 24 * HOUR);
    await pause.pause(caller, id);
    expect((await world.context.get(EndpointReader).find(caller.companyId, id)).pausedAt).toEqual(since);
    world.queue.woken.length = 0;
    await pause.resume(caller, id);
    expect(await world.context.get(EndpointReader).countPaused()).toBe(0);
    expect(world.queue.woken.map(({ payload }) => payload.endpointId)).toEqual([id]);
    await world.wake(caller, id);
    expect(world.sender.sent.map(({ headers }) => headers['webhook-id']).sort()).toEqual(events.sort());
  });

  it('count in the backlog with their due deliveries unless they are paused', async () => {
    const backlogs = () =>
      Promise.all([
        world.context.get(FanOutEvents).backlog(),
        world.context.get(RecoverDeliveries).backlog(),
      ]);
    const none = { waiting: 0, oldestDueAt: null };
    const { id } = await world.register(caller);
    const pause = world.context.get(PauseEndpoint);
    await pause.pause(caller, id);
    const due = { waiting: 2, oldestDueAt: world.clock.now() };
    await world.happen(caller);
    await world.happen(caller);
    expect(await backlogs()).toEqual([due, none]);
    await world.relay();
    expect(await backlogs()).toEqual([none, none]);
    await pause.resume(caller, id);
    expect(await backlogs()).toEqual([none, due]);
    const whileUnderWay: unknown[] = [];
    world.sender.answer = async () => {
      whileUnderWay.push(await backlogs());
      return ACKNOWLEDGED;
    };
    await world.wake(caller, id);
    expect(whileUnderWay).toEqual([
      [none, none],
      [none, none],
    ]);
    expect(await backlogs()).toEqual([none, none]);
  });

  describe('whose secret is rotated', () => {
    /** Returns the indexes of the secrets that signed the last request. */
    async function signedWith(secrets: readonly string[]): Promise<number[]> {
      await world.happen(caller);
      await world.relay();
      const sent = world.sender.sent.at(-1);
      const [t, ...digests] = String(sent?.headers['service-signature']).split(',');
      const expected = secrets.map((secret) =>
        createHmac('sha256', secret)
          .update(`${t?.slice(2)}.${sent?.body}`)
          .digest('hex'),
      );
      expect(String(sent?.headers['webhook-signature']).split(' ')).toHaveLength(digests.length);
      return digests.map((digest) => expected.indexOf(digest.slice(3)));
    }

    it('get both signatures for 24 hours, then only the new one', async () => {
      const { id, secret: old } = await world.register(caller);
      const rotated = await world.context.get(RotateSecret).execute(caller, id);
      expect(await signedWith([old, rotated])).toEqual([1, 0]);
      world.clock.advance(24 * HOUR - 1);
      expect(await signedWith([old, rotated])).toEqual([1, 0]);
      world.clock.advance(1);
      expect(await signedWith([old, rotated])).toEqual([1]);
    });

    it('get the signatures of all secrets after two rotations', async () => {
      const { id, secret: first } = await world.register(caller);
      const second = await world.context.get(RotateSecret).execute(caller, id);
      const third = await world.context.get(RotateSecret).execute(caller, id);
      expect(await signedWith([first, second, third])).toEqual([2, 1, 0]);
    });

    it('get only the new signature at once after a leak', async () => {
      const { id, secret: first } = await world.register(caller);
      const second = await world.context.get(RotateSecret).execute(caller, id);
      const third = await world.context.get(RotateSecret).execute(caller, id, 0);
      expect(await signedWith([first, second, third])).toEqual([2]);
    });

    it('refuse one rotation too many until a secret expires', async () => {
      const { id } = await world.register(caller);
      const rotate = () => world.context.get(RotateSecret).execute(caller, id);
      for (let count = 0; count < FORMER_SECRETS_MAX; count++) await rotate();
      await expect(rotate()).rejects.toMatchObject({ code: 'LIMIT_REACHED' });
      world.clock.advance(24 * HOUR);
      await rotate();
    });
  });

  describe('with a test event', () => {
    it('get the example of their first type, marked, and no other endpoint gets it', async () => {
      const { id } = await world.register(caller, ['charge.failed', 'document.created']);
      await world.register(caller, ['*'], 'https://other.example.com/');
      const sent = await world.context.get(SendTestEvent).execute(caller, id);
      expect(world.queue.woken.map(({ payload }) => payload.endpointId)).toEqual([id]);
      await world.relay();
      await world.wake(caller, id);
      const [message, ...others] = world.sender.sent;
      expect(others).toEqual([]);
      expect(JSON.parse(message?.body ?? '')).toMatchObject({
        id: sent.eventId,
        type: 'charge.failed',
        data: { test: true, charge: expect.any(Object) },
      });
      expect(await world.onlyDelivery(caller)).toMatchObject({ id: sent.deliveryId, state: 'delivered' });
    });
  });
});
