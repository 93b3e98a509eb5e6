import { Transactions } from '@counterfoil/kernel';
import { type OpenContext, until } from '@counterfoil/test-harness';
import { FakeProvider, FakeProviders, BAD_TOKEN, GOOD_TOKEN } from '../testing/fake-provider';
import { PaymentsWorld } from '../testing/payments-world';
import { ChangeCharge } from './change-charge';
import { CreatePaymentPage } from './create-payment-page';
import { DetachPaymentMethod } from './detach-payment-method';
import { PayPage } from './pay-page';
import { PaymentMethodRepository } from './ports/payment-method.repository';
import { ProviderUnanswered } from './ports/payment-provider';
import { PaymentsReader } from './ports/payments.reader';
import { ResolveProviderRequest } from './resolve-provider-request';

const PAGE = { amount: 12, currency: 'ILS', description: 'Work', entityId: null };
const MINUTE_MS = 60_000;

describe("providers' tokens", () => {
  let provider: FakeProvider;
  let world: PaymentsWorld;
  let other: OpenContext;

  beforeAll(async () => {
    provider = new FakeProvider();
    world = await PaymentsWorld.start(new FakeProviders([provider]));
    other = await world.open();
  });
  afterAll(async () => {
    await other?.close();
    await world?.close();
  });
  beforeEach(() => {
    provider.answer = (outcome) => outcome;
  });

  const silent = () => {
    provider.answer = () => Promise.reject(new ProviderUnanswered('no answer'));
  };
  const detach = (card: number) => world.context.get(DetachPaymentMethod).execute(world.caller, card);
  const settle = (id: number, context: OpenContext = other) =>
    context.get(ResolveProviderRequest).execute(id);
  const givenPage = async () => {
    const { url } = await world.context.get(CreatePaymentPage).execute(world.caller, PAGE);
    return url.split('/').at(-1)!;
  };

  it('are encrypted for saved cards, and deleted when the card is removed', async () => {
    const card = await world.givenCard(GOOD_TOKEN, 'fake');
    await world.charge(card);
    expect(await world.sealedToken(card)).toEqual(expect.not.stringContaining(GOOD_TOKEN));
    await detach(card);
    expect(await world.sealedToken(card)).toBeNull();
    await expect(detach(card)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(world.charge(card)).rejects.toMatchObject({ code: 'UNKNOWN_REFERENCE' });
    const told = (await world.events()).filter(({ type }) => type === 'payment_method.detached');
    expect(told).toHaveLength(1);
  });

  it.each([
    ['approved', GOOD_TOKEN, 'SUCCEEDED'],
    ['declined', BAD_TOKEN, 'FAILED'],
  ])('of a card for a payment page are deleted after its charge, %s', async (_, token, status) => {
    const { charge } = await world.context.get(PayPage).execute(await givenPage(), token);
    expect([charge.status, await world.sealedToken(charge.tokenId)]).toEqual([status, null]);
  });

  it('are kept while a charge is pending, because it may be sent again', async () => {
    silent();
    const saved = await world.givenCard(GOOD_TOKEN, 'fake');
    provider.arrives = () => false;
    const [first, second] = [await world.charge(saved), await world.charge(saved)];
    const paid = await world.context.get(PayPage).execute(await givenPage(), GOOD_TOKEN);
    await detach(saved);
    provider.arrives = () => true;
    provider.answer = (outcome) => outcome;
    world.clock.advance(MINUTE_MS);
    await settle(first.operation.id);
    expect(await world.sealedToken(saved)).not.toBeNull();
    await settle(second.operation.id);
    expect(await world.sealedToken(saved)).toBeNull();
    expect(await world.sealedToken(paid.charge.tokenId)).not.toBeNull();
    await settle(paid.operation.id);
    expect(await world.sealedToken(paid.charge.tokenId)).toBeNull();
    for (const { charge } of [first, second, paid])
      expect(await world.read(charge.id)).toMatchObject({ status: 'SUCCEEDED' });
  });

  it('of a removed card are not needed to refund, capture or cancel its charges', async () => {
    const card = await world.givenCard(GOOD_TOKEN, 'fake');
    const charges = [
      await world.charge(card),
      await world.charge(card, { capture: false }),
      await world.charge(card, { capture: false }),
    ];
    await detach(card);
    const kinds = ['REFUND', 'CAPTURE', 'VOID'] as const;
    for (const [index, kind] of kinds.entries()) {
      const change = world.context
        .get(ChangeCharge)
        .execute(world.caller, charges[index]!.charge.id, { kind }, null);
      expect((await change).operation.state).toBe('SUCCEEDED');
    }
  });

  it('are deleted when a card is removed while its last charge ends', async () => {
    silent();
    const card = await world.givenCard(GOOD_TOKEN, 'fake');
    const { operation, charge } = await world.charge(card);
    world.clock.advance(MINUTE_MS);
    const methods = world.context.get(PaymentMethodRepository);
    let removed!: () => void;
    let commit!: () => void;
    const isRemoved = new Promise<void>((resolve) => (removed = resolve));
    const mayCommit = new Promise<void>((resolve) => (commit = resolve));
    const removal = world.context.get(Transactions).run(async (tx) => {
      await methods.detach(tx, world.caller.companyId, card, world.clock.now());
      removed();
      await mayCommit;
    });
    await isRemoved;
    // Another process settles the charge before the removal commits, so it has to wait.
    const settled = settle(operation.id);
    await until('it waits', async () => {
      const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      return (await world.context.database.query(waiting)).length > 0;
    });
    commit();
    await removal;
    await settled;
    expect(await world.read(charge.id)).toMatchObject({ status: 'SUCCEEDED' });
    expect(await world.sealedToken(card)).toBeNull();
  });

  it('are deleted with any concurrent removals and ends of charges', async () => {
    silent();
    for (let round = 0; round < 40; round++) {
      const card = await world.givenCard(GOOD_TOKEN, 'fake');
      const started = [await world.charge(card), await world.charge(card), await world.charge(card)];
      world.clock.advance(MINUTE_MS);
      const [first, ...rest] = started.map(({ operation }) => operation.id);
      await Promise.all([settle(first!, world.context), detach(card), ...rest.map((id) => settle(id))]);
      expect(await world.sealedToken(card)).toBeNull();
    }
    expect(await world.deadlocks()).toBe(0);
  });

  it('are deleted with any concurrent removals and new charges', async () => {
    for (let round = 0; round < 40; round++) {
      const card = await world.givenCard(GOOD_TOKEN, 'fake');
      const charges = [1, 2, 3, 4].map((count) => world.charge(card, {}, count % 2 ? other : world.context));
      const [, ...ended] = await Promise.allSettled([detach(card), ...charges]);
      for (const end of ended) {
        if (end.status === 'rejected') expect(end.reason).toMatchObject({ code: 'UNKNOWN_REFERENCE' });
        else expect(end.value.charge.status).toBe('SUCCEEDED');
      }
      expect(await world.sealedToken(card)).toBeNull();
    }
    expect(await world.deadlocks()).toBe(0);
  });

  it('are in no column of any table', async () => {
    const card = await world.givenCard(GOOD_TOKEN, 'fake');
    await world.charge(card);
    const columns = await world.context.database.query<{ table: string; column: string }>(
      `select format('%I.%I', table_schema, table_name) as "table", format('%I', column_name) as "column"
         from information_schema.columns where table_schema not in ('pg_catalog', 'information_schema')`,
    );
    expect(columns.length).toBeGreaterThan(200);
    const found: string[] = [];
    for (const { table, column } of columns) {
      const rows = await world.context.database.query<{ held: boolean }>(
        `select exists (select 1 from ${table} where ${column}::text like '%secretOf%'
                           or ${column}::text like '%' || encode('secretOf', 'hex') || '%') as held`,
      );
      if (rows[0]?.held) found.push(`${table}.${column}`);
    }
    expect(found).toEqual([]);
    const cards: unknown[] = [];
    for await (const batch of world.context.get(PaymentsReader).savedCards(world.caller.companyId))
      cards.push(...batch);
    expect(cards).toContainEqual(expect.objectContaining({ id: card }));
    expect(JSON.stringify(cards)).not.toMatch(/token|secretOf/i);
  });
});
