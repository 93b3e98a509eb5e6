import { setTimeout as sleep } from 'node:timers/promises';
import { type Caller, Transactions } from '@counterfoil/kernel';
import { type EventType, Outbox } from '@counterfoil/outbox';
import { median, until } from '@counterfoil/test-harness';
import type { AttemptOutcome } from '../domain/delivery';
import { DESTINATION_SLOTS, UNWELCOME_BURST, UNWELCOME_PER_SECOND } from '../domain/destination-load';
import type { EndpointRef } from '../domain/endpoint';
import { OWN_SLOTS } from '../domain/lane';
import { DeliveryWorld } from '../testing/delivery-world';
import { ACKNOWLEDGED, REFUSED } from '../testing/fake-sender';
import { anEvent } from '../testing/few-events';
import { EndpointDispatcher } from './endpoint-dispatcher';
import { FanOutEvents } from './fan-out-events';
import { SigningSecrets } from './signing-secrets';

const COMPANIES = 12;
const ENDPOINTS = 50;
const EVENTS = 3;
const SOUND_EVENTS = 1_000;
const FAILING_EVENTS = 3_000;
const SLOWER_MAX = 2.5;
const RUNS = 3;

describe('endpoints of many companies at one address', () => {
  let world: DeliveryWorld;
  let waiting: { readonly url: string; readonly answer: (outcome: AttemptOutcome) => void }[];
  /** URLs whose destinations are known. */
  let led: Set<string>;
  let startedAt: number;

  beforeAll(async () => {
    world = await DeliveryWorld.open();
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    await world.reset();
    waiting = [];
    // The host is used as the address, so all names lead to `victim`.
    led = new Set();
    world.sender.destinationOf = (url) => {
      led.add(url);
      return new URL(url).host.endsWith('victim.example') ? 'victim' : url;
    };
  });
  afterEach(async () => {
    world.sender.answer = () => ACKNOWLEDGED;
    for (const { answer } of waiting.splice(0)) answer(ACKNOWLEDGED);
    await until('all to end', async () => {
      await world.lanes.settled();
      const [row] = await world.context.database.query<{ open: number }>(
        `select count(*)::int as open from webhook_deliveries where state = 'pending'`,
      );
      return row?.open === 0;
    });
  });

  function hangAtVictim(): void {
    world.sender.answer = ({ url }) =>
      url.includes('victim') ? new Promise((answer) => waiting.push({ url, answer })) : ACKNOWLEDGED;
  }

  /** Creates companies whose endpoints all lead to the victim, each with this many pending events. */
  async function givenAttack(): Promise<void> {
    for (let company = 0; company < COMPANIES; company++) {
      const { companyId } = await world.givenCaller();
      await world.context.database.query(
        `insert into webhook_endpoints (id, company_id, url, events, secret_sealed, created_at)
         select 'we_' || $1::bigint || '_' || n, $1::bigint, 'https://c' || $1::bigint || '-' || n || '.victim.example/', '{*}', $2, now()
           from generate_series(1, $3::int) n`,
        [companyId, world.context.get(SigningSecrets).seal('whsec_x'), ENDPOINTS],
      );
      for (let event = 0; event < EVENTS; event++) await world.happen({ companyId } as Caller);
    }
    startedAt = performance.now();
    await world.context.get(FanOutEvents).execute();
  }

  async function givenEvent(caller: Caller, url: string): Promise<void> {
    await world.register(caller, ['*'], url);
    await world.happen(caller);
    await world.context.get(FanOutEvents).execute();
  }

  async function happen(
    { companyId }: Caller,
    count: number,
    type: EventType = 'document.created',
  ): Promise<void> {
    const events = Array.from({ length: count }, () => anEvent(type));
    const { context } = world;
    await context.get(Transactions).run((tx) => context.get(Outbox).append(tx, companyId, events));
  }

  const sentTo = (part: string) => world.sender.sent.filter(({ url }) => url.includes(part)).length;
  const mayHaveBeenSent = () =>
    UNWELCOME_BURST + UNWELCOME_PER_SECOND * ((performance.now() - startedAt) / 1_000);

  it('have a limited number of deliveries in flight there, without delaying others', async () => {
    hangAtVictim();
    await givenAttack();
    await until('the address to be at its bound', () => waiting.length >= UNWELCOME_BURST);
    // So many would be in flight if each endpoint used its own slots.
    expect(COMPANIES * ENDPOINTS * OWN_SLOTS).toBeGreaterThan(2 * DESTINATION_SLOTS);
    for (let round = 0; round < 5; round++) {
      await givenEvent(await world.givenCaller(), `https://sound${round}.example/`);
      await until('another to be sent its event', () => sentTo(`sound${round}`) === 1, 1_000);
      expect(waiting.length).toBeLessThanOrEqual(Math.min(mayHaveBeenSent(), DESTINATION_SLOTS));
    }
  });

  it('have the same limit there with two workers', async () => {
    hangAtVictim();
    const beside = await world.openBeside();
    try {
      await givenAttack();
      const endpoints = await world.context.database.query<EndpointRef>(
        'select id as "endpointId", company_id::int as "companyId" from webhook_endpoints',
      );
      beside.get(EndpointDispatcher).wake(endpoints);
      await until('the address to be at its bound', () => waiting.length >= DESTINATION_SLOTS);
      // Twice as many are due.
      expect(endpoints.length * OWN_SLOTS).toBeGreaterThan(2 * DESTINATION_SLOTS);
      await sleep(1_000);
      expect(waiting.length).toBe(DESTINATION_SLOTS);
      world.sender.answer = () => ACKNOWLEDGED;
      for (const { answer } of waiting.splice(0)) answer(ACKNOWLEDGED);
      await beside.get(EndpointDispatcher).settled();
    } finally {
      await beside.close();
    }
  });

  it('give a new company there the next slot', async () => {
    hangAtVictim();
    await givenAttack();
    await until('all slots to be taken', () => waiting.length === DESTINATION_SLOTS, 10_000);
    // An endpoint with an unknown destination may take a slot once.
    await until('all to be known', () => led.size === COMPANIES * ENDPOINTS, 10_000);
    const newcomer = 'https://newcomer.victim.example/';
    await givenEvent(await world.givenCaller(), newcomer);
    expect(sentTo('newcomer')).toBe(0);
    // Its first delivery is given back once its destination is known. From then on it waits for a slot.
    await until('the newcomer to be known', () => led.has(newcomer));
    await sleep(500);
    const before = world.sender.sent.length;
    waiting.shift()!.answer({ ...ACKNOWLEDGED });
    await until('the newcomer to be sent its event', () => sentTo('newcomer') === 1, 2_000);
    expect(world.sender.sent.length - before).toBeLessThanOrEqual(2);
  });

  it('are rate-limited there while nothing is acknowledged, and finally everything is sent', async () => {
    world.sender.answer = () => REFUSED;
    await givenAttack();
    await until('a burst and more to be refused', () => sentTo('victim') > UNWELCOME_BURST + 50, 10_000);
    expect(sentTo('victim')).toBeLessThanOrEqual(mayHaveBeenSent());
    world.sender.answer = () => ACKNOWLEDGED;
    await until('all to be sent', () => sentTo('victim') === COMPANIES * ENDPOINTS * EVENTS, 20_000);
  });

  it.each(['another company', 'the same company'])(
    'do not slow down a healthy endpoint of %s, however fast one fails',
    async (whose) => {
      const sound = await world.givenCaller();
      const failing = whose === 'the same company' ? sound : await world.givenCaller();
      world.sender.answer = async ({ url }) => {
        await sleep(5);
        return url.includes('failing') ? REFUSED : ACKNOWLEDGED;
      };
      await world.register(failing, ['document.cancelled'], 'https://failing.victim.example/');
      await world.register(sound, ['document.created'], 'https://sound.victim.example/');
      const soundMs = async () => {
        const before = sentTo('sound');
        const began = performance.now();
        await happen(sound, SOUND_EVENTS);
        await world.context.get(FanOutEvents).execute();
        const all = () => sentTo('sound') === before + SOUND_EVENTS;
        await until('the healthy one to be sent all', all, 10_000);
        return performance.now() - began;
      };
      /** A pause of the machine slows down one run, a failing endpoint slows down each. */
      const medianMs = async () => {
        const runs: number[] = [];
        while (runs.length < RUNS) runs.push(await soundMs());
        return median(runs);
      };
      await soundMs();
      const aloneMs = await medianMs();
      await happen(failing, FAILING_EVENTS, 'document.cancelled');
      startedAt = performance.now();
      await world.context.get(FanOutEvents).execute();
      await until('the burst to be used up', () => sentTo('failing') >= UNWELCOME_BURST, 10_000);
      const besideMs = await medianMs();
      // It is still sending failing deliveries at full speed.
      expect(sentTo('failing')).toBeLessThan(FAILING_EVENTS);
      expect(besideMs).toBeLessThan(SLOWER_MAX * aloneMs);
      expect(sentTo('failing')).toBeLessThanOrEqual(mayHaveBeenSent());
    },
    30_000,
  );
});
