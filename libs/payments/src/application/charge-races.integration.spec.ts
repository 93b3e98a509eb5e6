import { createHash } from 'node:crypto';
import type { IdempotencyKey } from '@counterfoil/kernel';
import type { OpenContext } from '@counterfoil/test-harness';
import { answerOf, type Answered, idsOf } from '../testing/keyed-call';
import { PaymentsWorld } from '../testing/payments-world';
import { ChangeCharge } from './change-charge';
import { type ChargeInput, CreateCharge } from './create-charge';
import { CreatePaymentPage } from './create-payment-page';
import { PayPage } from './pay-page';
import { ResolveProviderRequest } from './resolve-provider-request';

const fingerprint = (text: string) => createHash('sha256').update(text).digest();
const keyOf = (key: string, body = 'same'): IdempotencyKey => ({ key, fingerprint: fingerprint(body) });

type Ids = ReturnType<typeof idsOf>;

describe('two processes that charge concurrently', () => {
  let world: PaymentsWorld;
  let contexts: readonly OpenContext[];
  let card: number;

  beforeAll(async () => {
    world = await PaymentsWorld.start();
    contexts = [world.context, await world.open()];
    card = await world.givenCard('tok_approved');
  });
  afterAll(async () => {
    await contexts[1]?.close();
    await world.close();
  });
  afterEach(async () => {
    expect(await world.deadlocks()).toBe(0);
    expect(await world.pending()).toEqual([]);
  });

  /** Makes concurrent calls through both processes alternately. */
  const atOnce = <T>(count: number, ask: (context: OpenContext, turn: number) => Promise<T>) =>
    Promise.allSettled(
      Array.from({ length: count }, (_, turn) => ask(contexts[turn % contexts.length]!, turn)),
    );
  const done = <T>(ends: readonly PromiseSettledResult<T>[]) =>
    ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
  const codes = (ends: readonly PromiseSettledResult<unknown>[]) => [
    ...new Set(
      ends.flatMap((end) => (end.status === 'rejected' ? [(end.reason as { code: string }).code] : [])),
    ),
  ];
  const asked = (tokenId: number) => ({
    ...{ tokenId, amount: 10, currency: 'ILS', entityId: null, documentId: null },
    capture: true,
  });

  it.each([
    ['tok_approved', 'answers'],
    ['tok_timeout', 'gives no answer'],
  ])('never refund more than is available, with %s, whose provider %s', async (token) => {
    const { charge } = await world.charge(await world.givenCard(token));
    await world.settleAll(contexts);
    const refund = { kind: 'REFUND', amount: 1 } as const;
    const ends = await atOnce(50, (context) =>
      context.get(ChangeCharge).execute(world.caller, charge.id, refund, null),
    );
    await world.settleAll(contexts);
    expect(done(ends)).toHaveLength(10);
    expect(codes(ends)).toEqual(['INVALID_STATE']);
    const requests = (await world.requestsOf(charge.id)).filter(({ kind }) => kind === 'REFUND');
    expect(requests.map(({ amount }) => amount)).toEqual(Array.from({ length: 10 }, () => 1));
    expect(await world.read(charge.id)).toMatchObject({ capturedAmount: 10, refundedAmount: 10 });
    const told = (await world.eventsOf(charge.id)).filter(({ type }) => type === 'refund.created');
    expect(told.map(({ data }) => data.charge!['refundedAmount'])).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it('make one of several refunds of which two would exceed the rest', async () => {
    const { charge } = await world.charge(card);
    const refund = { kind: 'REFUND', amount: 6 } as const;
    const ends = await atOnce(20, (context) =>
      context.get(ChangeCharge).execute(world.caller, charge.id, refund, null),
    );
    expect([done(ends).length, codes(ends)]).toEqual([1, ['VALIDATION_FAILED']]);
    expect(await world.read(charge.id)).toMatchObject({ refundedAmount: 6 });
  });

  it('either capture an authorization or cancel it', async () => {
    for (let round = 0; round < 20; round++) {
      const { charge } = await world.charge(card, { capture: false });
      const ends = await atOnce(8, (context, turn) => {
        const kind = turn % 2 === 0 ? 'CAPTURE' : 'VOID';
        return context.get(ChangeCharge).execute(world.caller, charge.id, { kind }, null);
      });
      const [won, ...others] = done(ends);
      expect([others, codes(ends)]).toEqual([[], ['INVALID_STATE']]);
      const { status, capturedAmount } = await world.read(charge.id);
      const captured = won!.operation.kind === 'CAPTURE';
      expect([status, capturedAmount]).toEqual(captured ? ['SUCCEEDED', 10] : ['CANCELED', 0]);
      expect(await world.requestsOf(charge.id)).toHaveLength(2);
      expect(await world.eventsOf(charge.id)).toHaveLength(2);
    }
  });

  /** Asserts that all calls returned one operation, and that one call created it. */
  function assertOnce(ends: readonly PromiseSettledResult<Answered<Ids>>[]): Ids {
    expect(codes(ends)).toEqual([]);
    const answers = done(ends);
    expect(answers).toHaveLength(20);
    expect(new Set(answers.map(({ body }) => body.operationId)).size).toBe(1);
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    return answers[0]!.body;
  }

  const charged = (context: OpenContext, key: IdempotencyKey, wanted: ChargeInput, caller = world.caller) =>
    answerOf(context, { companyId: caller.companyId, key, present: idsOf }, (call) =>
      context.get(CreateCharge).execute(caller, wanted, call),
    );

  it('charge once for one idempotency key', async () => {
    for (let round = 0; round < 10; round++) {
      const idempotencyKey = keyOf(`charge-${round}`);
      const ends = await atOnce(20, (context) => charged(context, idempotencyKey, asked(card)));
      const { chargeId } = assertOnce(ends);
      expect(await world.requestsOf(chargeId)).toMatchObject([{ amount: 10, sent: 1 }]);
      expect(await world.eventsOf(chargeId)).toHaveLength(1);
    }
  });

  it.each([
    ['CAPTURE', false],
    ['VOID', false],
    ['REFUND', true],
  ] as const)('%s once for one idempotency key: the other calls get that one', async (kind, capture) => {
    for (let round = 0; round < 10; round++) {
      const { charge } = await world.charge(card, { capture });
      const idempotencyKey = keyOf(`${kind}-${round}`);
      const ends = await atOnce(20, (context) =>
        answerOf(
          context,
          { companyId: world.caller.companyId, key: idempotencyKey, present: idsOf },
          (call) => context.get(ChangeCharge).execute(world.caller, charge.id, { kind }, call),
        ),
      );
      assertOnce(ends);
      expect(await world.requestsOf(charge.id)).toHaveLength(2);
    }
  });

  it('refuse a key with another call, before and after', async () => {
    const ends = await atOnce(20, (context, turn) =>
      charged(context, keyOf('shared', `body ${turn}`), asked(card)),
    );
    expect([done(ends).length, codes(ends)]).toEqual([1, ['IDEMPOTENCY_KEY_REUSED']]);
    const again = charged(world.context, keyOf('shared', 'other'), asked(card));
    await expect(again).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
  });

  it('separate the keys of companies', async () => {
    const other = await world.givenCompany('Other');
    const { caller } = world;
    const first = await charged(world.context, keyOf('both'), asked(card));
    world.caller = other;
    const otherCard = await world.givenCard('tok_approved');
    const second = await charged(world.context, keyOf('both'), asked(otherCard), other);
    world.caller = caller;
    expect(second.replayed).toBe(false);
    expect(second.body.chargeId).not.toBe(first.body.chargeId);
  });

  it('accept one payer of a page', async () => {
    for (let round = 0; round < 20; round++) {
      const page = { amount: 10, currency: 'ILS', description: 'Work', entityId: null };
      const { url } = await world.context.get(CreatePaymentPage).execute(world.caller, page);
      const key = url.split('/').at(-1)!;
      const ends = await atOnce(6, (context) => context.get(PayPage).execute(key, 'tok_approved'));
      expect([done(ends).length, codes(ends)]).toEqual([1, ['INVALID_STATE']]);
    }
    const charged = await world.context.database.query(
      `select payment_page_id from charges where payment_page_id is not null
        group by payment_page_id having count(*) > 1`,
    );
    expect(charged).toEqual([]);
  });

  it('record the outcome of a request once', async () => {
    for (let round = 0; round < 10; round++) {
      const { charge, operation } = await world.charge(await world.givenCard('tok_timeout'));
      world.clock.advance(60_000);
      await atOnce(8, (context) => context.get(ResolveProviderRequest).execute(operation.id));
      expect(await world.read(charge.id)).toMatchObject({ status: 'SUCCEEDED', capturedAmount: 10 });
      expect(await world.eventsOf(charge.id)).toHaveLength(1);
      expect(await world.requestsOf(charge.id)).toMatchObject([{ sent: 1 }]);
    }
  });
});
