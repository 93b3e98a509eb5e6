import type { IdempotentCall } from '@counterfoil/idempotency';
import { fingerprintOf, type Interval, occurrence } from '@counterfoil/kernel';
import { RunDueOccurrences, type ScheduledWork } from '@counterfoil/scheduling';
import { type OpenContext, transactionOf } from '@counterfoil/test-harness';
import { FakeProvider, FakeProviders, BAD_TOKEN, GOOD_TOKEN } from '../testing/fake-provider';
import { answerOf } from '../testing/keyed-call';
import { PaymentsWorld } from '../testing/payments-world';
import { ChargeRecurringPayment } from './charge-recurring-payment';
import { CreateRecurringPayment } from './create-recurring-payment';
import { DetachPaymentMethod } from './detach-payment-method';
import { EndRecurringPayment } from './end-recurring-payment';
import { ProviderUnanswered } from './ports/payment-provider';
import { PaymentsReader } from './ports/payments.reader';
import { ResolveProviderRequest } from './resolve-provider-request';

const HOUR_MS = 3_600_000;
const WHOLE = { limit: 1_000, offset: 0 };

describe('recurring payments', () => {
  let provider: FakeProvider;
  let providers: FakeProviders;
  let world: PaymentsWorld;
  let contexts: readonly OpenContext[];

  beforeAll(async () => {
    providers = new FakeProviders([]);
    world = await PaymentsWorld.start(providers);
    contexts = [world.context, await world.open()];
  });
  afterAll(async () => {
    await contexts[1]?.close();
    await world?.close();
  });
  beforeEach(() => {
    provider = new FakeProvider();
    providers.providers = [provider];
    world.clock.set('2027-01-15T10:00:00.000Z');
  });

  const catchUp = async (id: number, context = world.context as OpenContext) => {
    const work: ScheduledWork = context.get(ChargeRecurringPayment);
    await context.get(RunDueOccurrences).execute(id, { RECURRING_PAYMENT: work, RETAINER: work });
    for (const operationId of await world.pending())
      await context.get(ResolveProviderRequest).execute(operationId);
  };
  const bothCatchUp = (id: number) => Promise.all(contexts.map((context) => catchUp(id, context)));
  const asked = (tokenId: number, nextRunDate: string, interval: Interval = 'MONTHLY') => {
    const terms = { tokenId, amount: 49.9, currency: 'ILS', entityId: null };
    return { ...terms, interval, nextRunDate };
  };
  const create = (
    wanted: ReturnType<typeof asked>,
    call: IdempotentCall<number> | null = null,
    caller = world.caller,
  ) => world.context.get(CreateRecurringPayment).execute(caller, wanted, call);
  const given = (...wanted: Parameters<typeof asked>) => create(asked(...wanted));
  const listed = async (id: number) => {
    const rows = await world.context.get(PaymentsReader).recurringPayments(world.caller.companyId, WHOLE);
    return rows.find((row) => row.id === id);
  };
  const chargesOf = (id: number) =>
    world.context.database.query<{ id: number; day: string; status: string }>(
      `select id::int, run_date::text as day, status from charges where recurring_payment_id = $1 order by id`,
      [id],
    );
  const daysOf = async (id: number) => (await chargesOf(id)).map(({ day }) => day);
  const requestsOfDays = () => provider.booked.size;

  it('charge on each calendar day for three years, once, with two workers', async () => {
    const card = await world.givenCard(GOOD_TOKEN, 'fake');
    const id = await given(card, '2027-01-31');
    const expected = Array.from({ length: 36 }, (_, index) => occurrence('2027-01-31', 'MONTHLY', index));
    for (let day = new Date('2027-01-29T22:30:00Z'); day < new Date('2030-01-02');) {
      world.clock.set(day);
      await bothCatchUp(id);
      day = new Date(day.getTime() + 24 * HOUR_MS);
    }
    expect(await daysOf(id)).toEqual(expected);
    const madeOn = await world.context.database.query(
      `select (created_at at time zone 'Asia/Jerusalem')::date::text as day from charges
        where recurring_payment_id = $1 order by id`,
      [id],
    );
    expect(madeOn).toEqual(expected.map((day) => ({ day })));
    expect(expected.slice(0, 4)).toEqual(['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30']);
    expect(expected).toContain('2028-02-29');
    expect(requestsOfDays()).toBe(36);
    expect(await listed(id)).toMatchObject({ nextRunDate: '2030-01-31', refusal: null });
    const told = await world.events();
    for (const charge of await chargesOf(id))
      expect(told.filter(({ data }) => data.charge?.id === charge.id)).toHaveLength(1);
  }, 120_000);

  it.each([
    [
      'WEEKLY',
      '2026-12-01',
      ['2026-12-01', '2026-12-08', '2026-12-15', '2026-12-22', '2026-12-29', '2027-01-05', '2027-01-12'],
    ],
    ['YEARLY', '2024-02-29', ['2024-02-29', '2025-02-28', '2026-02-28']],
  ] as const)('make up for missed runs one by one: %s from %s', async (interval, first, days) => {
    const now = world.clock.now();
    world.clock.set(`${first}T00:00:00Z`);
    const id = await given(await world.givenCard(GOOD_TOKEN, 'fake'), first, interval);
    world.clock.set(now);
    await Promise.all([bothCatchUp(id), bothCatchUp(id)]);
    await bothCatchUp(id);
    expect(await daysOf(id)).toEqual(days);
    expect(requestsOfDays()).toBe(days.length);
  });

  it('continue after a declined card, which is reported', async () => {
    const id = await given(await world.givenCard(BAD_TOKEN, 'fake'), '2026-11-15');
    await bothCatchUp(id);
    const charges = await chargesOf(id);
    expect(charges.map(({ day, status }) => [day, status])).toEqual([
      ['2026-11-15', 'FAILED'],
      ['2026-12-15', 'FAILED'],
      ['2027-01-15', 'FAILED'],
    ]);
    for (const charge of charges)
      expect(await world.eventsOf(charge.id)).toMatchObject([{ type: 'charge.failed' }]);
    expect(await listed(id)).toMatchObject({
      nextRunDate: '2027-02-15',
      lastCharge: { id: charges[2]!.id, status: 'FAILED', failureCode: 'BAD_CARD', runDate: '2027-01-15' },
      refusal: null,
    });
  });

  it('leave a charge without an answer pending, and charge no day twice', async () => {
    provider.answer = () => Promise.reject(new ProviderUnanswered('no answer'));
    const id = await given(await world.givenCard(GOOD_TOKEN, 'fake'), '2026-12-15');
    await bothCatchUp(id);
    await bothCatchUp(id);
    expect((await chargesOf(id)).map(({ day, status }) => [day, status])).toEqual([
      ['2026-12-15', 'PENDING'],
      ['2027-01-15', 'PENDING'],
    ]);
    await world.settleAll(contexts);
    expect((await chargesOf(id)).map(({ status }) => status)).toEqual(['SUCCEEDED', 'SUCCEEDED']);
    expect([provider.sent.length, requestsOfDays()]).toEqual([2, 2]);
  });

  async function endOf(ids: readonly number[]): Promise<Date[]> {
    const sql = 'select ended_at as at from schedules where id = any($1)';
    return (await world.context.database.query<{ at: Date }>(sql, [ids])).map(({ at }) => at);
  }

  it('end with their card', async () => {
    const card = await world.givenCard(GOOD_TOKEN, 'fake');
    const ids = [await given(card, '2027-01-15'), await given(card, '2027-02-15')];
    await bothCatchUp(ids[0]!);
    await world.context.get(DetachPaymentMethod).execute(world.caller, card);
    expect(await endOf(ids)).toEqual([world.clock.now(), world.clock.now()]);
    world.clock.set('2027-12-31T10:00:00Z');
    for (const id of ids) await bothCatchUp(id);
    expect([await daysOf(ids[0]!), await daysOf(ids[1]!)]).toEqual([['2027-01-15'], []]);
    expect([await listed(ids[0]!), await listed(ids[1]!)]).toEqual([undefined, undefined]);
    await expect(given(card, '2027-12-31')).rejects.toMatchObject({ code: 'UNKNOWN_REFERENCE' });
  });

  it('end with their card by as few statements for many as for one, and end once', async () => {
    const detach = async (count: number) => {
      const card = await world.givenCard(GOOD_TOKEN, 'fake');
      const ids: number[] = [];
      for (let n = 0; n < count; n++) ids.push(await given(card, '2027-02-15'));
      await world.context.get(EndRecurringPayment).execute(world.caller, ids[0]!);
      world.clock.advance(60_000);
      const sent = await transactionOf(() =>
        world.context.get(DetachPaymentMethod).execute(world.caller, card),
      );
      expect((await endOf(ids)).filter((at) => at === null)).toEqual([]);
      expect((await endOf([ids[0]!]))[0]).not.toEqual(world.clock.now());
      return sent.length;
    };
    expect(await detach(8)).toBe(await detach(1));
  });

  it('end once by a call', async () => {
    const id = await given(await world.givenCard(GOOD_TOKEN, 'fake'), '2027-01-15');
    await bothCatchUp(id);
    const end = world.context.get(EndRecurringPayment);
    await expect(end.execute(await world.givenCompany('Other'), id)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await end.execute(world.caller, id);
    expect(await endOf([id])).toEqual([world.clock.now()]);
    await expect(end.execute(world.caller, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    world.clock.set('2027-12-31T10:00:00Z');
    await bothCatchUp(id);
    expect([await daysOf(id), await listed(id)]).toEqual([['2027-01-15'], undefined]);
  });

  it('are refused while their provider is disabled, which they show, and catch up later', async () => {
    const id = await given(await world.givenCard(GOOD_TOKEN, 'fake'), '2026-12-15');
    providers.providers = [];
    await bothCatchUp(id);
    expect(await chargesOf(id)).toEqual([]);
    const refusal = (await listed(id))!.refusal!;
    expect(refusal).toMatchObject({ runDate: '2026-12-15', code: 'INVALID_STATE', attempts: 1 });
    expect(refusal.message).toContain('fake');
    expect(refusal.nextAttemptAt.getTime()).toBeGreaterThan(world.clock.now().getTime());
    providers.providers = [provider];
    world.clock.advance(HOUR_MS);
    await bothCatchUp(id);
    expect(await daysOf(id)).toEqual(['2026-12-15', '2027-01-15']);
    expect((await listed(id))!.refusal).toBeNull();
  });

  it('are created once for one idempotency key by concurrent calls', async () => {
    const wanted = asked(await world.givenCard(GOOD_TOKEN, 'fake'), '2027-02-01');
    const createKeyed = (of: typeof wanted, caller = world.caller) => {
      const key = { key: 'rent', fingerprint: fingerprintOf('recurring', of) };
      const keyedCall = { companyId: caller.companyId, key, present: (id: number) => ({ id }) };
      return answerOf(world.context, keyedCall, (call) => create(of, call, caller));
    };
    const made = await Promise.all(Array.from({ length: 20 }, () => createKeyed(wanted)));
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(1);
    expect(made.filter(({ replayed }) => !replayed)).toHaveLength(1);
    const other = { ...wanted, amount: 50 };
    await expect(createKeyed(other)).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    const stranger = await world.givenCompany('Stranger');
    await expect(createKeyed(wanted, stranger)).rejects.toMatchObject({
      code: 'UNKNOWN_REFERENCE',
    });
  });

  it('are not created while the provider of the card is disabled', async () => {
    const card = await world.givenCard(GOOD_TOKEN, 'fake');
    providers.providers = [];
    await expect(given(card, '2027-02-01')).rejects.toMatchObject({ code: 'INVALID_STATE' });
  });

  it('accept no first day more than a year ago, and no card of another company', async () => {
    const card = await world.givenCard(GOOD_TOKEN, 'fake');
    await expect(given(card, '2026-01-14')).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    expect(await daysOf(await given(card, '2026-01-15'))).toEqual([]);
    const { caller } = world;
    world.caller = await world.givenCompany('Another');
    await expect(given(card, '2027-02-01')).rejects.toMatchObject({ code: 'UNKNOWN_REFERENCE' });
    world.caller = caller;
  });

  it('either charge a card that is being removed or do not, and never deadlock', async () => {
    for (let round = 0; round < 40; round++) {
      const card = await world.givenCard(GOOD_TOKEN, 'fake');
      const ids = [await given(card, '2027-01-15'), await given(card, '2026-12-15')];
      await Promise.all([
        ...ids.flatMap((id) => contexts.map((context) => catchUp(id, context))),
        contexts[round % 2]!.get(DetachPaymentMethod).execute(world.caller, card),
        world.context
          .get(EndRecurringPayment)
          .execute(world.caller, ids[0]!)
          .catch(() => undefined),
      ]);
      for (const id of ids) {
        const charges = await chargesOf(id);
        expect(new Set(charges.map(({ day }) => day)).size).toBe(charges.length);
        expect(charges.every(({ status }) => status === 'SUCCEEDED')).toBe(true);
        expect(await listed(id)).toBeUndefined();
      }
      expect(await world.sealedToken(card)).toBeNull();
    }
    expect(await world.deadlocks()).toBe(0);
  }, 60_000);
});
