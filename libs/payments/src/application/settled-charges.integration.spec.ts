import { fingerprintOf, sum, toMoney } from '@counterfoil/kernel';
import { answerOf, idsOf } from '../testing/keyed-call';
import { PaymentsWorld } from '../testing/payments-world';
import { ChangeCharge } from './change-charge';
import { CreatePaymentPage } from './create-payment-page';
import { DetachPaymentMethod } from './detach-payment-method';
import { PayPage } from './pay-page';
import { PaymentsReader } from './ports/payments.reader';
import { RecoverProviderRequests } from './recover-provider-requests';

describe('charges of sandbox cards with lost answers', () => {
  let world: PaymentsWorld;

  beforeAll(async () => {
    world = await PaymentsWorld.start();
  });
  afterAll(() => world.close());

  const typesOf = async (chargeId: number) => (await world.eventsOf(chargeId)).map(({ type }) => type);
  const change = (chargeId: number, kind: 'CAPTURE' | 'VOID' | 'REFUND', amount?: number) =>
    world.context.get(ChangeCharge).execute(world.caller, chargeId, { kind, amount }, null);

  it.each([
    ['tok_timeout', { status: 'SUCCEEDED', capturedAmount: 10 }, 'charge.succeeded', true],
    ['tok_lost', { status: 'FAILED', capturedAmount: 0 }, 'charge.failed', false],
  ])('%s: PENDING, then %p', async (token, after, type, approved) => {
    const { charge } = await world.charge(await world.givenCard(token));
    expect(charge).toMatchObject({ status: 'PENDING', capturedAmount: 0, failureCode: null });
    await world.settleAll();
    expect(await world.read(charge.id)).toMatchObject(after);
    expect(await world.requestsOf(charge.id)).toMatchObject([
      { kind: 'SALE', amount: 10, approved, sent: 1 },
    ]);
    expect(await typesOf(charge.id)).toEqual([type]);
  });

  it.each([
    ['CAPTURE', 4, { status: 'SUCCEEDED', capturedAmount: 4 }, 'charge.captured'],
    ['VOID', undefined, { status: 'CANCELED', capturedAmount: 0 }, 'charge.canceled'],
  ] as const)('a %s is settled after the authorization', async (kind, amount, after, type) => {
    const { charge } = await world.charge(await world.givenCard('tok_timeout'), { capture: false });
    await expect(change(charge.id, kind, amount)).rejects.toMatchObject({ code: 'INVALID_STATE' });
    await world.settleAll();
    const started = await change(charge.id, kind, amount);
    expect(started.charge.status).toBe('AUTHORIZED');
    await world.settleAll();
    expect(await world.read(charge.id)).toMatchObject(after);
    expect(await typesOf(charge.id)).toEqual(['charge.succeeded', type]);
    const requests = await world.requestsOf(charge.id);
    expect(requests).toMatchObject([
      { kind: 'AUTHORIZATION', captured: false },
      { kind, amount: amount ?? 10 },
    ]);
  });

  it('refunds are settled separately, and reported once', async () => {
    const { charge } = await world.charge(await world.givenCard('tok_timeout'));
    await world.settleAll();
    const refunds = [await change(charge.id, 'REFUND', 0.1), await change(charge.id, 'REFUND', 0.2)];
    await expect(change(charge.id, 'REFUND', 9.71)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    refunds.push(await change(charge.id, 'REFUND'));
    await world.settleAll();
    expect(await world.read(charge.id)).toMatchObject({ status: 'SUCCEEDED', refundedAmount: 10 });
    const told = (await world.eventsOf(charge.id)).filter(({ data }) => data.refund);
    // Concurrent refunds settle in any order. Each event has the amount refunded so far.
    const amounts = new Map(told.map(({ data }) => [data.refund!.id, data.refund!['amount']]));
    expect(amounts).toEqual(new Map(refunds.map(({ operation }) => [operation.id, operation.amount])));
    expect([...amounts.values()].sort()).toEqual([0.1, 0.2, 9.7]);
    const added = told.map(({ data }, index) => {
      const before = index === 0 ? 0 : Number(told[index - 1]!.data.charge!['refundedAmount']);
      return toMoney(sum([Number(data.charge!['refundedAmount'])]).minus(before));
    });
    expect(added).toEqual(told.map(({ data }) => data.refund!['amount']));
    expect(told.at(-1)!.data.charge).toMatchObject({ refundedAmount: 10 });
  });

  it.each([
    ['tok_capture_declined', false, 'CAPTURE', { status: 'AUTHORIZED', capturedAmount: 0 }],
    ['tok_refund_declined', true, 'REFUND', { status: 'SUCCEEDED', refundedAmount: 0 }],
  ] as const)(
    '%s: a declined change has no effect, and can be repeated',
    async (token, capture, kind, after) => {
      const { charge } = await world.charge(await world.givenCard(token), { capture });
      for (let attempt = 0; attempt < 2; attempt++) {
        const started = await change(charge.id, kind, 3);
        expect(started.operation).toMatchObject({ state: 'FAILED', failureCode: expect.any(String) });
        expect(started.charge).toMatchObject(after);
      }
      expect(await typesOf(charge.id)).toEqual(['charge.succeeded']);
    },
  );

  it('a charge has at most 1,000 refunds, also if its provider declines each', async () => {
    const { charge } = await world.charge(await world.givenCard('tok_refund_declined'));
    const key = { key: 'a refund', fingerprint: fingerprintOf('refund', charge.id) };
    const refund = () =>
      answerOf(world.context, { companyId: world.caller.companyId, key, present: idsOf }, (call) =>
        world.context.get(ChangeCharge).execute(world.caller, charge.id, { kind: 'REFUND', amount: 1 }, call),
      );
    const first = await refund();
    await world.context.database.query(
      `insert into charge_operations (company_id, charge_id, kind, amount, provider_key, state, failure_code,
         created_at, settled_at, next_attempt_at)
       select company_id, charge_id, kind, amount, gen_random_uuid(), state, failure_code, created_at, settled_at,
              next_attempt_at
         from charge_operations, generate_series(1, 998) where charge_id = $1 and kind = 'REFUND'`,
      [charge.id],
    );
    expect((await change(charge.id, 'REFUND', 1)).operation.state).toBe('FAILED');
    await expect(change(charge.id, 'REFUND', 1)).rejects.toMatchObject({ code: 'LIMIT_REACHED' });
    // Other refusals come first, and a repeated call gets its stored answer.
    await expect(change(charge.id, 'VOID')).rejects.toMatchObject({ code: 'INVALID_STATE' });
    await expect(change(charge.id, 'REFUND', 11)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    expect(await refund()).toEqual({ body: first.body, replayed: true });
  });

  it('the sweep finds and signals due operations', async () => {
    const { operation } = await world.charge(await world.givenCard('tok_timeout'));
    const jobs = () =>
      world.context.database.query(`select 1 from bullmq.job where id = $1`, [`order-${operation.id}`]);
    await world.context.get(RecoverProviderRequests).execute();
    expect(await jobs()).toHaveLength(0);
    world.clock.advance(60_000);
    await world.context.get(RecoverProviderRequests).execute();
    expect(await jobs()).toHaveLength(1);
    await world.settleAll();
  });

  it("companies do not see or change each other's", async () => {
    const card = await world.givenCard('tok_approved');
    const { charge } = await world.charge(card);
    const { caller } = world;
    const other = await world.givenCompany('Other');
    const reader = world.context.get(PaymentsReader);
    expect(await reader.charge(other.companyId, charge.id)).toBeNull();
    expect((await reader.charges(other.companyId, {}, { limit: 50, offset: 0 })).data).toEqual([]);
    const { context } = world;
    const refund = context.get(ChangeCharge).execute(other, charge.id, { kind: 'REFUND' }, null);
    await expect(refund).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const detach = context.get(DetachPaymentMethod).execute(other, card);
    await expect(detach).rejects.toMatchObject({ code: 'NOT_FOUND' });
    world.caller = other;
    await expect(world.charge(card)).rejects.toMatchObject({ code: 'UNKNOWN_REFERENCE' });
    world.caller = caller;
  });

  describe('a payment page', () => {
    const pay = (key: string, token: string) => world.context.get(PayPage).execute(key, token);
    const givenPage = async () => {
      const asked = { amount: 25.5, currency: 'ILS', description: 'Invoice 7', entityId: null };
      const { id, url } = await world.context.get(CreatePaymentPage).execute(world.caller, asked);
      return { id, key: url.split('/').at(-1)! };
    };
    const statusOf = async (key: string) =>
      (await world.context.get(PaymentsReader).paymentPage(key))?.status;

    it('is open after a declined card, and paid once', async () => {
      const { key, id } = await givenPage();
      expect((await pay(key, 'tok_declined')).charge).toMatchObject({ status: 'FAILED', paymentPageId: id });
      expect(await statusOf(key)).toBe('OPEN');
      const { charge } = await pay(key, 'tok_approved');
      expect(charge).toMatchObject({ status: 'SUCCEEDED', amount: 25.5, paymentPageId: id });
      expect(await statusOf(key)).toBe('PAID');
      await expect(pay(key, 'tok_approved')).rejects.toMatchObject({ code: 'INVALID_STATE' });
      await change(charge.id, 'REFUND');
      await expect(pay(key, 'tok_approved')).rejects.toMatchObject({ code: 'INVALID_STATE' });
    });

    it('accepts no more cards after twenty were declined', async () => {
      const { key } = await givenPage();
      for (let n = 0; n < 20; n++) expect((await pay(key, 'tok_declined')).charge.status).toBe('FAILED');
      await expect(pay(key, 'tok_approved')).rejects.toMatchObject({ code: 'LIMIT_REACHED' });
      expect(await statusOf(key)).toBe('OPEN');
    });

    it.each(['tok_approved', 'tok_timeout'])(
      'counts declined cards only: %s is no reason for a new page',
      async (token) => {
        const { key } = await givenPage();
        for (let n = 0; n < 19; n++) await pay(key, 'tok_declined');
        await pay(key, token);
        await expect(pay(key, 'tok_approved')).rejects.toMatchObject({ code: 'INVALID_STATE' });
        await world.settleAll();
      },
    );

    it('accepts cards after any number of canceled authorizations', async () => {
      const { key } = await givenPage();
      for (let n = 0; n < 20; n++) await change((await pay(key, 'tok_authorize_only')).charge.id, 'VOID');
      expect((await pay(key, 'tok_approved')).charge.status).toBe('SUCCEEDED');
    });

    it.each([
      ['tok_timeout', 'PAID'],
      ['tok_lost', 'OPEN'],
    ])('waits while a charge with %s is pending, and is then %s', async (token, status) => {
      const { key } = await givenPage();
      expect((await pay(key, token)).charge.status).toBe('PENDING');
      expect(await statusOf(key)).toBe('PENDING');
      await expect(pay(key, 'tok_approved')).rejects.toMatchObject({ code: 'INVALID_STATE' });
      await world.settleAll();
      expect(await statusOf(key)).toBe(status);
    });

    it('is open again when its authorization is canceled', async () => {
      const { key } = await givenPage();
      const { charge } = await pay(key, 'tok_authorize_only');
      expect([charge.status, await statusOf(key)]).toEqual(['AUTHORIZED', 'PAID']);
      await change(charge.id, 'VOID');
      expect(await statusOf(key)).toBe('OPEN');
    });

    it('accepts no unknown token, and is found only by its key', async () => {
      const { key } = await givenPage();
      await expect(pay(key, 'tok_nonsense')).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
      await expect(pay(`${key}x`, 'tok_approved')).rejects.toMatchObject({ code: 'NOT_FOUND' });
      expect(await statusOf(key)).toBe('OPEN');
    });
  });
});
