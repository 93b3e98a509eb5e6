import { createHash } from 'node:crypto';
import type { IdempotentCall } from '@counterfoil/idempotency';
import { AppError } from '@counterfoil/kernel';
import type { OpenContext } from '@counterfoil/test-harness';
import fc from 'fast-check';
import type { ChangeKind } from '../domain/charge';
import { type Answered, answerOf, idsOf } from '../testing/keyed-call';
import { PaymentsWorld, type ToldEvent } from '../testing/payments-world';
import type { StartedOperation } from './idempotent-operations';
import { ChangeCharge } from './change-charge';
import { CreateCharge } from './create-charge';
import { DetachPaymentMethod } from './detach-payment-method';
import type { ChargeRecord } from './ports/payments.reader';
import { ResolveProviderRequest } from './resolve-provider-request';

const CLIENTS = 6;
const STEPS_EACH = 400;
const TOKENS = [
  ...['tok_approved', 'tok_approved', 'tok_timeout', 'tok_lost', 'tok_declined'],
  ...['tok_authorize_only', 'tok_capture_declined', 'tok_refund_declined'],
];
/** The allowed refusals. Anything else is an error of the service. */
const REFUSALS = ['INVALID_STATE', 'VALIDATION_FAILED', 'UNKNOWN_REFERENCE'];

type Step =
  | { readonly do: 'charge'; readonly card: number; readonly cents: number; readonly capture: boolean }
  | { readonly do: ChangeKind; readonly charge: number; readonly cents: number | undefined }
  | { readonly do: 'settle'; readonly pick: number }
  | { readonly do: 'detach'; readonly pick: number }
  | { readonly do: 'retry'; readonly pick: number };

const pick = fc.nat({ max: 1_000_000 });
const cents = fc.integer({ min: 1, max: 5_000 });
const change = fc.record({
  do: fc.constantFrom<ChangeKind>('CAPTURE', 'VOID', 'REFUND'),
  charge: pick,
  cents: fc.option(cents, { nil: undefined }),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 15,
    arbitrary: fc.record({ do: fc.constant('charge' as const), card: pick, cents, capture: fc.boolean() }),
  },
  { weight: 30, arbitrary: change },
  { weight: 10, arbitrary: fc.record({ do: fc.constant('settle' as const), pick }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('retry' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('detach' as const), pick }) },
);

type Ask = (context: OpenContext) => Promise<Answered<ReturnType<typeof idsOf>>>;

/** The charges that clients have created, and the calls that they may repeat. */
interface Shared {
  readonly cards: number[];
  readonly charges: number[];
  readonly calls: { readonly ask: Ask; readonly operationId: number }[];
}

describe('thousands of random calls of concurrent clients', () => {
  let world: PaymentsWorld;
  let contexts: readonly OpenContext[];

  beforeAll(async () => {
    world = await PaymentsWorld.start();
    contexts = [world.context, await world.open()];
  });
  afterAll(async () => {
    await contexts[1]?.close();
    await world.close();
  });

  const shared: Shared = { cards: [], charges: [], calls: [] };
  let keysMade = 0;
  const of = <T>(things: readonly T[], index: number): T | undefined =>
    things[index % Math.max(things.length, 1)];
  const nextKey = () => {
    keysMade += 1;
    return { key: `key-${keysMade}`, fingerprint: createHash('sha256').update(`${keysMade}`).digest() };
  };

  /** Makes a call with a new key, and records it. */
  async function call(
    context: OpenContext,
    execute: (on: OpenContext, call: IdempotentCall<StartedOperation>) => Promise<StartedOperation>,
  ): Promise<void> {
    const key = nextKey();
    const { companyId } = world.caller;
    const ask: Ask = (on) => answerOf(on, { companyId, key, present: idsOf }, (made) => execute(on, made));
    const { replayed, body } = await ask(context);
    expect(replayed).toBe(false);
    shared.charges.push(body.chargeId);
    shared.calls.push({ ask, operationId: body.operationId });
  }

  type Of<Kind extends Step['do']> = Extract<Step, { readonly do: Kind }>;

  function charge({ card, cents: asked, capture }: Of<'charge'>, context: OpenContext): Promise<void> {
    const tokenId = of(shared.cards, card)!;
    const rest = { amount: asked / 100, currency: 'ILS', entityId: null, documentId: null };
    const { caller } = world;
    return call(context, (on, made) =>
      on.get(CreateCharge).execute(caller, { tokenId, ...rest, capture }, made),
    );
  }

  async function changeOne(one: Of<ChangeKind>, context: OpenContext): Promise<void> {
    const chargeId = of(shared.charges, one.charge);
    if (chargeId === undefined) return;
    const amount = one.do === 'VOID' || one.cents === undefined ? undefined : one.cents / 100;
    const asked = { kind: one.do, amount };
    const { caller } = world;
    await call(context, (on, made) => on.get(ChangeCharge).execute(caller, chargeId, asked, made));
  }

  async function settle(picked: number, context: OpenContext): Promise<void> {
    const operationId = of(await world.pending(), picked);
    world.clock.advance(45_000);
    if (operationId !== undefined) await context.get(ResolveProviderRequest).execute(operationId);
  }

  async function detach(picked: number, context: OpenContext): Promise<void> {
    const [old] = shared.cards.splice(picked % shared.cards.length, 1);
    shared.cards.push(await world.givenCard(of(TOKENS, picked)!));
    await context.get(DetachPaymentMethod).execute(world.caller, old!);
  }

  async function retry(picked: number, context: OpenContext): Promise<void> {
    const made = of(shared.calls, picked);
    if (!made) return;
    const { replayed, body } = await made.ask(context);
    expect([replayed, body.operationId]).toEqual([true, made.operationId]);
  }

  function take(one: Step, context: OpenContext): Promise<void> {
    switch (one.do) {
      case 'charge':
        return charge(one, context);
      case 'settle':
        return settle(one.pick, context);
      case 'detach':
        return detach(one.pick, context);
      case 'retry':
        return retry(one.pick, context);
      case 'CAPTURE':
      case 'VOID':
      case 'REFUND':
        return changeOne(one, context);
    }
  }

  const refused: Record<string, number> = {};
  async function runClient(steps: readonly Step[], context: OpenContext): Promise<void> {
    for (const one of steps) {
      try {
        await take(one, context);
      } catch (error) {
        if (!(error instanceof AppError) || !REFUSALS.includes(error.code)) throw error;
        refused[error.code] = (refused[error.code] ?? 0) + 1;
      }
    }
  }

  const sumOf = (requests: readonly { readonly amount: number }[]) =>
    Math.round(requests.reduce((total, { amount }) => total + amount * 100, 0)) / 100;

  /** Asserts that the provider's books and the reported events match the charge. */
  async function assertTrue(charge: ChargeRecord, told: readonly ToldEvent[]): Promise<void> {
    const requests = await world.requestsOf(charge.id);
    const approved = requests.filter((request) => request.approved);
    const captured = sumOf(approved.filter((request) => request.captured));
    const refunded = sumOf(approved.filter(({ kind }) => kind === 'REFUND'));
    expect([charge.capturedAmount, charge.refundedAmount]).toEqual([captured, refunded]);
    expect(captured).toBeLessThanOrEqual(charge.amount);
    expect(refunded).toBeLessThanOrEqual(captured);
    expect(approved.filter(({ kind }) => kind !== 'REFUND').length).toBeLessThanOrEqual(2);
    expect(requests).toHaveLength(charge.operations.length);
    const last = told.at(-1)!.data.charge!;
    const { status, capturedAmount, refundedAmount } = charge;
    expect(last).toMatchObject({ status, capturedAmount, refundedAmount });
    const changes = charge.operations.filter(({ state, kind }) => {
      return state === 'SUCCEEDED' || kind === 'SALE' || kind === 'AUTHORIZATION';
    });
    expect(told).toHaveLength(changes.length);
    const given = told.map(({ data }) => data.charge!['refundedAmount'] as number);
    expect(given).toEqual([...given].sort((a, b) => a - b));
    const refunds = told.flatMap(({ data }) => (data.refund ? [data.refund.id] : []));
    expect(new Set(refunds).size).toBe(refunds.length);
  }

  it('keep the books consistent to the last agora', async () => {
    for (const token of TOKENS) shared.cards.push(await world.givenCard(token));
    const seed = Number(process.env['MODEL_SEED'] ?? Date.now() % 1_000_000);
    const clients = fc.sample(fc.array(step, { minLength: STEPS_EACH, maxLength: STEPS_EACH }), {
      numRuns: CLIENTS,
      seed,
    });
    try {
      await Promise.all(clients.map((steps, turn) => runClient(steps, contexts[turn % contexts.length]!)));
      await world.settleAll(contexts);
      expect(await world.pending()).toEqual([]);
      const ids = [...new Set(shared.charges)];
      expect(ids.length).toBeGreaterThan(200);
      const events = await world.events();
      for (const id of ids)
        await assertTrue(
          await world.read(id),
          events.filter(({ data }) => data.charge?.id === id),
        );
      const counted = 'select count(*)::int as count from charges';
      expect(await world.context.database.query(counted)).toEqual([{ count: ids.length }]);
      expect(Object.keys(refused).sort()).toEqual(
        expect.arrayContaining(['INVALID_STATE', 'VALIDATION_FAILED']),
      );
      const kept = await world.context.database.query(
        `select id from payment_methods where sealed_token is not null and (not saved or detached_at is not null)`,
      );
      expect(kept).toEqual([]);
      expect(await world.deadlocks()).toBe(0);
    } catch (error) {
      throw new Error(`with seed ${seed}`, { cause: error });
    }
  }, 120_000);
});
