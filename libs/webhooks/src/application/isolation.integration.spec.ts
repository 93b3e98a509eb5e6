import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { until } from '@counterfoil/test-harness';
import { SLOTS_MAX, OWN_SLOTS, PROMPT_MS } from '../domain/lane';
import { DeliveryWorld } from '../testing/delivery-world';
import { ACKNOWLEDGED, REFUSED } from '../testing/fake-sender';
import type { AttemptOutcome } from '../domain/delivery';
import { FanOutEvents } from './fan-out-events';
import { DeliveryRepository } from './ports/delivery.repository';
import { SigningSecrets } from './signing-secrets';

const TIMED_OUT: AttemptOutcome = { status: null, failure: 'timeout', response: null };

describe('endpoints side by side', () => {
  let world: DeliveryWorld;
  let caller: Caller;
  /** Requests that wait for their response, by URL. */
  const waiting = new Map<string, ((outcome: AttemptOutcome) => void)[]>();
  let mostInFlight: Map<string, number>;

  beforeAll(async () => {
    world = await DeliveryWorld.open({ WORKER_CONCURRENCY: '10' });
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    await world.reset();
    waiting.clear();
    mostInFlight = new Map();
    caller = await world.givenCaller();
  });
  afterEach(async () => {
    world.sender.answer = () => ACKNOWLEDGED;
    release(() => true, ACKNOWLEDGED);
    await world.lanes.settled();
  });

  /** Makes requests to these URLs wait until the test answers them. */
  function hang(...urls: string[]): void {
    world.sender.answer = ({ url }) => {
      if (!urls.includes(url)) return ACKNOWLEDGED;
      return new Promise((resolve) => {
        const others = waiting.get(url) ?? [];
        waiting.set(url, [...others, resolve]);
        mostInFlight.set(url, Math.max(mostInFlight.get(url) ?? 0, others.length + 1));
      });
    };
  }

  function release(of: (url: string) => boolean, outcome: AttemptOutcome): void {
    for (const [url, answers] of [...waiting].filter(([url]) => of(url))) {
      waiting.delete(url);
      for (const answer of answers) answer(outcome);
    }
  }

  const inFlight = (url: string) => waiting.get(url)?.length ?? 0;
  const sentTo = (url: string) => world.sender.sent.filter((message) => message.url === url).length;
  const url = (name: string) => `https://${name}.example.com/`;

  it('claim for healthy lanes without waiting for a claim for lanes in trouble', async () => {
    const troubled = Array.from({ length: 45 }, (_, index) => url(`troubled${index}`));
    world.sender.answer = (message) =>
      troubled.includes(message.url) ? { status: null, failure: 'reset', response: null } : ACKNOWLEDGED;
    await world.context.database.query(
      `insert into webhook_endpoints (id, company_id, url, events, secret_sealed, created_at)
       select 'we_' || n, $1, url, '{document.created}', $3, now() from unnest($2::text[]) with ordinality as u (url, n)`,
      [caller.companyId, troubled, world.context.get(SigningSecrets).seal('whsec_x')],
    );
    await world.register(caller, ['document.cancelled'], url('sound'));
    for (let made = 0; made < 20; made++) await world.happen(caller, 'document.created');
    await world.happen(caller, 'document.cancelled');
    await world.context.get(FanOutEvents).execute();
    await until('each to be in trouble', () => troubled.every((each) => sentTo(each) > 0));

    const repository = world.context.get(DeliveryRepository);
    const claim = repository.claim.bind(repository);
    const lanesClaimed: number[] = [];
    const slowly = jest.spyOn(repository, 'claim').mockImplementation(async (...asked) => {
      const isForTroubled = asked[0].some(({ endpointId }) => /^we_\d+$/.test(endpointId));
      lanesClaimed.push(isForTroubled ? asked[0].length : 0);
      if (isForTroubled) await sleep(1_000);
      return claim(...asked);
    });
    try {
      await until('a claim for those in trouble', () => slowly.mock.calls.length > 0);
      await world.happen(caller, 'document.cancelled');
      await world.context.get(FanOutEvents).execute();
      await until('the sound one to be sent its event', () => sentTo(url('sound')) === 2, 500);
      expect(Math.max(...lanesClaimed)).toBeLessThanOrEqual(10);
    } finally {
      slowly.mockRestore();
    }
  });

  it('get deliveries at once while any number of others hang (contract §15.12)', async () => {
    const hanging = Array.from({ length: 30 }, (_, index) => url(`hanging${index}`));
    hang(...hanging);
    for (const each of hanging) await world.register(caller, ['document.created'], each);
    await world.register(caller, ['document.cancelled'], url('sound'));
    for (let made = 0; made < 10; made++) await world.happen(caller, 'document.created');
    await world.context.get(FanOutEvents).execute();
    await until('all the others to hang', () => hanging.every((each) => inFlight(each) >= OWN_SLOTS));
    await world.happen(caller, 'document.cancelled');
    await world.context.get(FanOutEvents).execute();
    await until('the sound one to be sent its event', () => sentTo(url('sound')) === 1, 1_000);
    expect(Math.max(...mostInFlight.values())).toBe(OWN_SLOTS);
  });

  it('get deliveries while thousands of others hang, each at a separate address', async () => {
    const count = 2_600;
    let hanging = 0;
    await world.register(caller, ['document.cancelled'], url('sound'));
    const tell = async (): Promise<void> => {
      await world.happen(caller, 'document.cancelled');
      await world.context.get(FanOutEvents).execute();
    };
    await tell();
    await until('the sound one to be well', () => sentTo(url('sound')) === 1);
    await world.context.database.query(
      `insert into webhook_endpoints (id, company_id, url, events, secret_sealed, created_at)
       select 'we_' || n, $1, 'https://hanging' || n || '.example.com/', '{document.created}', $2, now()
         from generate_series(1, $3::int) n`,
      [caller.companyId, world.context.get(SigningSecrets).seal('whsec_x'), count],
    );
    world.sender.answer = (message) => {
      if (message.url === url('sound')) return ACKNOWLEDGED;
      hanging += 1;
      return new Promise((resolve) => waiting.set(`${message.url} ${hanging}`, [resolve]));
    };
    for (let made = 0; made < OWN_SLOTS; made++) await world.happen(caller, 'document.created');
    await world.context.get(FanOutEvents).execute();
    let before = -1;
    await until(
      'no more to begin',
      async () => {
        if (hanging > 0 && hanging === before) return true;
        before = hanging;
        await sleep(500);
        return false;
      },
      30_000,
    );
    expect(hanging).toBeGreaterThanOrEqual(4_000);
    await tell();
    await until('the sound one to be sent its event', () => sentTo(url('sound')) === 2, 1_000);
  });

  it('continue at once after all deliveries of an endpoint time out together', async () => {
    const most = 12;
    hang(url('a'));
    await world.register(caller, ['*'], url('a'));
    await Promise.all(Array.from({ length: 200 }, () => world.happen(caller)));
    await world.context.get(FanOutEvents).execute();
    await until('its window to grow', () => {
      if (inFlight(url('a')) >= most) return true;
      release(() => true, ACKNOWLEDGED);
      return false;
    });
    const before = sentTo(url('a'));
    release(() => true, TIMED_OUT);
    await until('the next to be sent', () => sentTo(url('a')) === before + OWN_SLOTS, 1_000);
    expect(inFlight(url('a'))).toBe(OWN_SLOTS);
  });

  it('get everything although two workers share an endpoint with all slots in use', async () => {
    const [first, second] = [world.anotherWorker(), world.anotherWorker()];
    const { id: endpointId } = await world.register(caller, ['*'], url('a'));
    const endpoint = { endpointId, companyId: caller.companyId };
    let inFlightNow = 0;
    let most = 0;
    world.sender.answer = async () => {
      most = Math.max(most, (inFlightNow += 1));
      await sleep(20);
      inFlightNow -= 1;
      return ACKNOWLEDGED;
    };
    await Promise.all(Array.from({ length: 1_500 }, () => world.happen(caller)));
    await world.context.get(FanOutEvents).execute();
    first.wake([endpoint]);
    second.wake([endpoint]);
    await until('all to be sent', () => sentTo(url('a')) === 1_500, 20_000);
    await Promise.all([first.settled(), second.settled()]);
    // The maximum was reached, so the test is meaningful.
    expect(most).toBe(SLOTS_MAX);
  }, 60_000);

  it('get free slots while the queue hangs with the retry of one', async () => {
    world.sender.answer = (message) => (message.url === url('refusing') ? REFUSED : ACKNOWLEDGED);
    await world.register(caller, ['document.created'], url('refusing'));
    await world.register(caller, ['document.cancelled'], url('sound'));
    world.queue.hang();
    await world.happen(caller, 'document.created');
    await Promise.all(Array.from({ length: 40 }, () => world.happen(caller, 'document.cancelled')));
    await world.context.get(FanOutEvents).execute();
    await until('the sound one to be sent all', () => sentTo(url('sound')) === 40, 2_000);
    await world.lanes.settled();
  });

  it('get slots if they are prompt while others are slow', async () => {
    const slow = [url('slow1'), url('slow2'), url('slow3')];
    hang(...slow);
    for (const each of slow) await world.register(caller, ['document.created'], each);
    await Promise.all(Array.from({ length: 120 }, () => world.happen(caller, 'document.created')));
    await world.context.get(FanOutEvents).execute();
    for (let answers = 0; answers < 4; answers++) {
      await until('them to be sent something', () => slow.every((each) => inFlight(each) > 0));
      await sleep(PROMPT_MS + 50);
      release(() => true, ACKNOWLEDGED);
    }
    await until('the slow to hold what they may', () => {
      const held = slow.reduce((sum, each) => sum + inFlight(each), 0);
      return held === slow.length * OWN_SLOTS + 5;
    });
  });

  it('get their backlog with pauses if they lose each connection', async () => {
    world.sender.answer = () => ({ status: null, failure: 'reset', response: null });
    await world.register(caller, ['*'], url('a'));
    await Promise.all(Array.from({ length: 60 }, () => world.happen(caller)));
    await world.context.get(FanOutEvents).execute();
    const startedAt = performance.now();
    await until('some to be sent', () => sentTo(url('a')) >= 8);
    // Two at a time, with delays of 100, 200, 400 and 400 ms.
    expect(performance.now() - startedAt).toBeGreaterThan(600);
    expect(sentTo(url('a'))).toBeLessThan(12);
    world.sender.answer = () => ACKNOWLEDGED;
    await until('the rest to be sent', () => sentTo(url('a')) === 60, 2_000);
  });

  it('get claims even if there are more than one claim covers', async () => {
    await world.context.database.query(
      `insert into webhook_endpoints (id, company_id, url, events, secret_sealed, created_at)
       select 'we_' || n, $1, 'https://' || n || '.example.com/', '{*}', $2, now() from generate_series(1, 700) n`,
      [caller.companyId, world.context.get(SigningSecrets).seal('whsec_x')],
    );
    await world.happen(caller);
    await world.happen(caller);
    await world.context.get(FanOutEvents).execute();
    await world.lanes.settled();
    expect(world.sender.sent).toHaveLength(1_400);
  });

  it('get claims again after a failed one', async () => {
    const repository = world.context.get(DeliveryRepository);
    const failing = jest.spyOn(repository, 'claim').mockRejectedValueOnce(new Error('no database'));
    await world.register(caller, ['*'], url('a'));
    await world.happen(caller);
    await world.context.get(FanOutEvents).execute();
    await until('the event to be sent', () => sentTo(url('a')) === 1, 3_000);
    expect(failing).toHaveBeenCalledTimes(2);
    failing.mockRestore();
  });

  describe('with a database that claims slowly', () => {
    const usual = { leaseMs: 15_500 };

    beforeEach(async () => {
      const { database } = world.context;
      await database.query(
        `create function claim_slowly() returns trigger language plpgsql as
         'begin perform pg_sleep(2.5); return new; end'`,
      );
      await database.query(
        `create trigger claim_slowly before update on webhook_deliveries for each row
         when (old.lease_token is null and new.lease_token is not null) execute function claim_slowly()`,
      );
    });
    afterEach(() => world.context.database.query('drop function claim_slowly cascade'));

    it('get due deliveries with longer leases, which is logged', async () => {
      const warned = jest.spyOn(world.context.get(Log), 'warn');
      const claims = jest.spyOn(world.context.get(DeliveryRepository), 'claim');
      const { id } = await world.register(caller, ['*'], url('a'));
      for (const count of [1, 2]) {
        await world.happen(caller);
        await world.context.get(FanOutEvents).execute();
        await until('the event to be sent', () => sentTo(url('a')) === count, 10_000);
        await world.lanes.settled();
      }
      const ofLane = claims.mock.calls.filter(([[wanted]]) => wanted?.endpointId === id);
      const leases = ofLane.map(([, , leaseMs]) => leaseMs);
      expect(leases[0]).toBe(usual.leaseMs);
      expect(leases[1]).toBeGreaterThan(usual.leaseMs + 2_500);
      expect(warned).toHaveBeenCalledWith(
        { tookMs: expect.any(Number), lanes: 1 },
        'claiming deliveries is slow',
      );
      jest.restoreAllMocks();
    });
  });

  it('do not delay relaying while an endpoint of another company is being changed', async () => {
    const stranger = await world.givenCaller();
    const changed = await world.register(stranger, ['*'], url('changed'));
    await world.register(caller, ['*'], url('sound'));
    const held = world.context.database.hold(
      `select 1 from webhook_endpoints where id = '${changed.id}' for no key update`,
    );
    await held.ready;
    await world.happen(stranger);
    await world.happen(caller);
    await world.context.get(FanOutEvents).execute();
    await until('both to be sent', () => sentTo(url('sound')) === 1 && sentTo(url('changed')) === 1, 1_000);
    await held.release();
  });

  it('get more concurrent deliveries while they answer, up to their slots', async () => {
    hang(url('a'));
    await world.register(caller, ['*'], url('a'));
    await Promise.all(Array.from({ length: 200 }, () => world.happen(caller)));
    await world.context.get(FanOutEvents).execute();
    await until('all to be sent', () => {
      release(() => true, ACKNOWLEDGED);
      return sentTo(url('a')) === 200;
    });
    // Its own slots plus the shared ones, of which there are ten here.
    expect(mostInFlight.get(url('a'))).toBe(OWN_SLOTS + 10);
    expect(SLOTS_MAX).toBeGreaterThan(OWN_SLOTS + 10);
  });

  it('have hanging deliveries given back when the worker is stopped', async () => {
    const stopping = await DeliveryWorld.open();
    try {
      const by = await stopping.givenCaller();
      stopping.sender.answer = () => new Promise(() => undefined);
      await stopping.register(by);
      await stopping.happen(by);
      await stopping.context.get(FanOutEvents).execute();
      await until('the attempt to begin', () => stopping.sender.sent.length === 1);
      await stopping.lanes.stop(50);
      const [row] = await stopping.context.database.query<{ free: boolean; attempts: number }>(
        'select lease_token is null as free, attempts from webhook_deliveries',
      );
      expect(row).toEqual({ free: true, attempts: 0 });
      expect(stopping.queue.woken.map(({ payload }) => payload.companyId)).toEqual([by.companyId]);
    } finally {
      await stopping.close();
    }
  });
});
