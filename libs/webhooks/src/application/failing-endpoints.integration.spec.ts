import type { Caller } from '@counterfoil/kernel';
import { DeliveryWorld } from '../testing/delivery-world';
import { ACKNOWLEDGED, REFUSED } from '../testing/fake-sender';
import { PauseEndpoint } from './pause-endpoint';
import { EndpointReader } from './ports/endpoint.reader';
import { UpdateEndpoint } from './update-endpoint';

const HOUR_MS = 3_600_000;
const DAYS_3_MS = 72 * HOUR_MS;

describe('an endpoint that fails', () => {
  let world: DeliveryWorld;
  let caller: Caller;
  let endpointId: string;

  async function open(env: Record<string, string>): Promise<void> {
    world = await DeliveryWorld.open(env);
  }

  async function given(): Promise<void> {
    await world.reset();
    caller = await world.givenCaller();
    endpointId = (await world.register(caller, ['document.created'], 'https://failing.example.com/')).id;
    await world.register(caller, ['*'], 'https://watching.example.com/');
    world.sender.answer = ({ url }) => (url.includes('failing') ? REFUSED : ACKNOWLEDGED);
  }

  const pausedAt = async () =>
    (await world.context.get(EndpointReader).find(caller.companyId, endpointId)).pausedAt;
  const told = () =>
    world.sender.sent.filter(
      ({ url, headers }) =>
        url.includes('watching') && headers['service-event-type'] === 'webhook.endpoint_paused',
    );

  async function attempt(): Promise<void> {
    await world.happen(caller);
    await world.relay();
    await world.relay();
  }

  describe('for three days, with the setting', () => {
    beforeAll(() => open({ WEBHOOK_PAUSE_AFTER: '3d', WEBHOOK_RETRY_DELAYS: '1h' }));
    afterAll(() => world.close());
    beforeEach(given);

    it('is paused, its company is informed once, and its events wait until it is resumed', async () => {
      const failingSince = world.clock.now();
      await attempt();
      world.clock.advance(DAYS_3_MS - HOUR_MS);
      await attempt();
      expect(await pausedAt()).toBeNull();
      world.clock.advance(HOUR_MS);
      await attempt();
      expect(await pausedAt()).toEqual(world.clock.now());
      expect(told()).toHaveLength(1);
      expect(JSON.parse(told()[0]!.body)).toMatchObject({
        type: 'webhook.endpoint_paused',
        data: {
          endpoint: {
            id: endpointId,
            failingSince: failingSince.toISOString(),
            pausedAt: world.clock.now().toISOString(),
          },
        },
      });

      world.sender.answer = () => ACKNOWLEDGED;
      world.sender.sent.length = 0;
      const kept = await world.happen(caller);
      await world.relay();
      expect(world.sender.sent.map(({ url }) => url)).toEqual(['https://watching.example.com/']);
      await world.context.get(PauseEndpoint).resume(caller, endpointId);
      await world.wake(caller, endpointId);
      const arrived = world.sender.sent.filter(({ url }) => url.includes('failing'));
      expect(arrived.map(({ headers }) => headers['webhook-id'])).toContain(kept);
    });

    it('gets the event of its own pause, if it subscribes to it, only after it is resumed', async () => {
      const own = await world.register(caller, ['*'], 'https://own.example.com/');
      world.sender.answer = ({ url }) => (url.includes('own.') ? REFUSED : ACKNOWLEDGED);
      const ownPause = () =>
        world.sender.sent.filter(
          ({ url, headers }) =>
            url.includes('own.') && headers['service-event-type'] === 'webhook.endpoint_paused',
        );
      await attempt();
      world.clock.advance(DAYS_3_MS);
      await attempt();
      expect([told().length, ownPause().length]).toEqual([1, 0]);
      world.sender.answer = () => ACKNOWLEDGED;
      await world.context.get(PauseEndpoint).resume(caller, own.id);
      await world.wake(caller, own.id);
      expect(ownPause()).toHaveLength(1);
    });

    it.each<[string, () => Promise<void>]>([
      [
        'one attempt was acknowledged meanwhile',
        async () => {
          world.sender.answer = () => ACKNOWLEDGED;
          await attempt();
          world.sender.answer = ({ url }) => (url.includes('failing') ? REFUSED : ACKNOWLEDGED);
        },
      ],
      [
        'its url was changed meanwhile',
        async () => {
          const change = { url: 'https://failing-too.example.com/' };
          await world.context.get(UpdateEndpoint).execute(caller, endpointId, change);
        },
      ],
      [
        'it was paused and resumed by hand meanwhile',
        async () => {
          await world.context.get(PauseEndpoint).pause(caller, endpointId);
          await world.context.get(PauseEndpoint).resume(caller, endpointId);
        },
      ],
    ])('is counted from then on where %s', async (_, meanwhile) => {
      await attempt();
      world.clock.advance(DAYS_3_MS - 2 * HOUR_MS);
      await meanwhile();
      await attempt();
      world.clock.advance(DAYS_3_MS - 2 * HOUR_MS);
      await attempt();
      expect(await pausedAt()).toBeNull();
      world.clock.advance(2 * HOUR_MS);
      await attempt();
      expect(await pausedAt()).not.toBeNull();
    });
  });

  describe('without the setting', () => {
    beforeAll(() => open({ WEBHOOK_RETRY_DELAYS: '1h' }));
    afterAll(() => world.close());
    beforeEach(given);

    it('is not paused, however long it fails', async () => {
      await attempt();
      world.clock.advance(100 * DAYS_3_MS);
      await attempt();
      expect(await pausedAt()).toBeNull();
      expect(told()).toEqual([]);
    });
  });
});
