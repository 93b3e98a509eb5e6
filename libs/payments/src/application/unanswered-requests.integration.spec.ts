import { randomUUID } from 'node:crypto';
import { getEventListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { LEASE_MS, Transactions } from '@counterfoil/kernel';
import { until } from '@counterfoil/test-harness';
import { FakeProvider, FakeProviders, BAD_TOKEN, GOOD_TOKEN } from '../testing/fake-provider';
import { PaymentsWorld } from '../testing/payments-world';
import { ChangeCharge } from './change-charge';
import { startTimes, ProviderRequests } from './provider-requests';
import { ChargeRepository } from './ports/charge.repository';
import { ProviderRequestRepository } from './ports/provider-request.repository';
import { type ProviderRequest, ProviderUnanswered } from './ports/payment-provider';
import { ResolveProviderRequest } from './resolve-provider-request';

const MINUTE_MS = 60_000;
const never = () => Promise.reject(new ProviderUnanswered('no answer'));

describe('a provider that may not answer', () => {
  let provider: FakeProvider;
  let providers: FakeProviders;
  let world: PaymentsWorld;
  let card: number;

  beforeAll(async () => {
    providers = new FakeProviders([]);
    world = await PaymentsWorld.start(providers);
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    provider = new FakeProvider();
    providers.providers = [provider];
    card = await world.givenCard(GOOD_TOKEN, 'fake');
  });

  const settle = (operationId: number) => world.context.get(ResolveProviderRequest).execute(operationId);
  const typesOf = async (chargeId: number) => (await world.eventsOf(chargeId)).map(({ type }) => type);
  const keysOf = (requests: readonly ProviderRequest[]) => new Set(requests.map(({ key }) => key)).size;

  it('approves: the charge has succeeded, and is reported once', async () => {
    const { charge } = await world.charge(card);
    expect(charge).toMatchObject({ status: 'SUCCEEDED', capturedAmount: 10, failureCode: null });
    expect(await typesOf(charge.id)).toEqual(['charge.succeeded']);
    expect(provider.sent).toMatchObject([
      { kind: 'SALE', amount: 10, currency: 'ILS', providerToken: GOOD_TOKEN },
    ]);
  });

  it('declines: the charge has failed, with the reason', async () => {
    const { charge } = await world.charge(await world.givenCard(BAD_TOKEN, 'fake'));
    expect(charge).toMatchObject({ status: 'FAILED', capturedAmount: 0, failureCode: 'BAD_CARD' });
    expect(await typesOf(charge.id)).toEqual(['charge.failed']);
  });

  it.each([
    ['gives no answer', never],
    ['throws what nobody expects', () => Promise.reject(new TypeError('fetch failed'))],
    [
      'throws before it promises anything',
      () => {
        throw new Error('a bug of the adapter');
      },
    ],
  ])('%s: the charge is pending, and settled without being sent again', async (_, answer) => {
    provider.answer = answer;
    const { charge, operation } = await world.charge(card);
    expect(charge).toMatchObject({ status: 'PENDING', capturedAmount: 0 });
    expect(await typesOf(charge.id)).toEqual([]);
    world.clock.advance(MINUTE_MS);
    await settle(operation.id);
    expect(await world.read(charge.id)).toMatchObject({ status: 'SUCCEEDED', capturedAmount: 10 });
    expect(await typesOf(charge.id)).toEqual(['charge.succeeded']);
    expect(provider.sent).toHaveLength(1);
  });

  it('was never reached: the request is sent again with the same key', async () => {
    provider.arrives = () => false;
    const { charge, operation } = await world.charge(card);
    expect([provider.sent, charge.status]).toEqual([[], 'PENDING']);
    provider.arrives = () => true;
    provider.answer = never;
    world.clock.advance(MINUTE_MS);
    await settle(operation.id);
    expect(await world.read(charge.id)).toMatchObject({ status: 'PENDING' });
    provider.answer = (outcome) => outcome;
    world.clock.advance(10 * MINUTE_MS);
    await settle(operation.id);
    expect(await world.read(charge.id)).toMatchObject({ status: 'SUCCEEDED' });
    expect([provider.sent.length, provider.outcomesAsked.length]).toEqual([1, 2]);
    expect(keysOf([...provider.sent, ...provider.outcomesAsked])).toBe(1);
  });

  it('does not know yet: it is asked again after delays that grow to an hour, and settled once', async () => {
    provider.answer = never;
    const { charge, operation } = await world.charge(card);
    provider.account = () => 'pending';
    const pauses: number[] = [];
    for (let attempt = 0; attempt < 10; attempt++) {
      const [due] = await world.context.database.query<{ at: Date }>(
        'select next_attempt_at as at from charge_operations where id = $1',
        [operation.id],
      );
      pauses.push(due!.at.getTime() - world.clock.now().getTime());
      const before = provider.outcomesAsked.length;
      world.clock.set(new Date(due!.at.getTime() - 1));
      await settle(operation.id);
      expect(provider.outcomesAsked).toHaveLength(before);
      world.clock.set(due!.at);
      await settle(operation.id);
      expect(provider.outcomesAsked).toHaveLength(before + 1);
    }
    const { schedulerIntervalMs } = world.context.config;
    const later = pauses.slice(1);
    expect(schedulerIntervalMs).toBe(5_000);
    expect(pauses[0]).toBe(1_000);
    expect(later).toEqual(
      later.map((_, attempt) => Math.min(schedulerIntervalMs * 2 ** attempt, 60 * MINUTE_MS)),
    );
    expect(pauses.at(-1)).toBe(schedulerIntervalMs * 2 ** 8);
    expect(await world.read(charge.id)).toMatchObject({ status: 'PENDING' });
    provider.account = (outcome) => outcome;
    world.clock.advance(60 * MINUTE_MS);
    await settle(operation.id);
    await settle(operation.id);
    expect(await world.read(charge.id)).toMatchObject({ status: 'SUCCEEDED' });
    expect(await typesOf(charge.id)).toEqual(['charge.succeeded']);
  });

  it('answers the caller after the worker has settled the charge, without an effect', async () => {
    let answerLate!: () => void;
    provider.answer = (outcome) => new Promise((resolve) => (answerLate = () => resolve(outcome)));
    const asked = world.charge(card);
    while (provider.sent.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const [operationId] = await world.pending();
    await settle(operationId!);
    expect(provider.outcomesAsked).toEqual([]);
    world.clock.advance(MINUTE_MS);
    await settle(operationId!);
    const [{ id, updatedAt }] = (await world.context.database.query<{ id: number; updatedAt: Date }>(
      'select id::int, updated_at as "updatedAt" from charges where id = (select max(id) from charges)',
    )) as [{ id: number; updatedAt: Date }];
    world.clock.advance(MINUTE_MS);
    answerLate();
    expect((await asked).charge).toMatchObject({ id, status: 'SUCCEEDED', updatedAt });
    expect(await typesOf(id)).toEqual(['charge.succeeded']);
  });

  it('takes longer than 20 seconds: the caller gets a response, and the worker asks', async () => {
    provider.answer = () => new Promise(() => undefined);
    const limit = AbortSignal.timeout(25_000);
    const startedAt = Date.now();
    const { charge, operation } = await world.charge(card);
    expect(limit.aborted).toBe(false);
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(19_900);
    expect(charge.status).toBe('PENDING');
    world.clock.advance(MINUTE_MS);
    await settle(operation.id);
    expect(await world.read(charge.id)).toMatchObject({ status: 'SUCCEEDED' });
  }, 30_000);

  it('is no longer configured: pending requests wait, and no new ones start', async () => {
    const charged = await world.charge(card);
    provider.answer = never;
    const { charge, operation } = await world.charge(card);
    providers.providers = [];
    world.clock.advance(MINUTE_MS);
    await settle(operation.id);
    await expect(world.charge(card)).rejects.toMatchObject({ code: 'INVALID_STATE' });
    const refund = { kind: 'REFUND' } as const;
    const refunding = world.context.get(ChangeCharge).execute(world.caller, charged.charge.id, refund, null);
    await expect(refunding).rejects.toMatchObject({ code: 'INVALID_STATE', message: /fake/ });
    expect(await world.read(charge.id)).toMatchObject({ status: 'PENDING' });
    providers.providers = [provider];
    world.clock.advance(60 * MINUTE_MS);
    await settle(operation.id);
    expect(await world.read(charge.id)).toMatchObject({ status: 'SUCCEEDED' });
    expect(provider.sent).toHaveLength(2);
  });

  it.each([
    ['CAPTURE', false, { status: 'SUCCEEDED', capturedAmount: 4 }, ['charge.succeeded', 'charge.captured']],
    ['VOID', false, { status: 'CANCELED', capturedAmount: 0 }, ['charge.succeeded', 'charge.canceled']],
    ['REFUND', true, { status: 'SUCCEEDED', refundedAmount: 4 }, ['charge.succeeded', 'refund.created']],
  ] as const)('gives no answer to a %s, which is settled later', async (kind, capture, after, types) => {
    const { charge } = await world.charge(card, { capture });
    provider.answer = never;
    const asked = { kind, ...(kind === 'VOID' ? {} : { amount: 4 }) };
    const change = world.context.get(ChangeCharge);
    const started = await change.execute(world.caller, charge.id, asked, null);
    expect(started.charge).toMatchObject({ status: charge.status, refundedAmount: 0 });
    expect(started.operation.state).toBe('PENDING');
    if (kind !== 'REFUND') {
      const other = change.execute(world.caller, charge.id, { kind: 'VOID' }, null);
      await expect(other).rejects.toMatchObject({ code: 'INVALID_STATE' });
    }
    world.clock.advance(MINUTE_MS);
    await settle(started.operation.id);
    expect(await world.read(charge.id)).toMatchObject(after);
    expect(await typesOf(charge.id)).toEqual(types);
    expect(provider.sent.filter((request) => request.kind === kind)).toHaveLength(1);
    expect(provider.sent.at(-1)).toMatchObject({ chargeKey: provider.sent[0]!.key, providerToken: null });
  });

  it('was not called, because the process died before: the worker sends the request once', async () => {
    const { companyId } = world.caller;
    const charges = world.context.get(ChargeRepository);
    const now = world.clock.now();
    const operation = await world.context.get(Transactions).run(async (tx) => {
      const newCharge = { tokenId: card, entityId: null, documentId: null, amount: 10, currency: 'ILS' };
      const { id: chargeId } = await charges.insert(tx, companyId, newCharge, now);
      return charges.insertOperation(tx, companyId, {
        chargeId,
        kind: 'SALE',
        amount: 10,
        ...startTimes(now),
      });
    });
    await settle(operation.id);
    expect(provider.sent).toEqual([]);
    world.clock.advance(30_000);
    await settle(operation.id);
    expect(await world.read(operation.chargeId)).toMatchObject({ status: 'SUCCEEDED' });
    expect(await typesOf(operation.chargeId)).toEqual(['charge.succeeded']);
    expect(provider.sent).toHaveLength(1);
    await world.context.get(ProviderRequests).send(operation);
    expect(provider.sent).toHaveLength(1);
  });

  it('was called, and the process died before it recorded the answer', async () => {
    const { database } = world.context;
    provider.answer = async (outcome) => {
      // Simulates a process that is gone: its writes fail.
      await database.query(
        `alter table charge_operations add constraint gone check (state = 'PENDING') not valid`,
      );
      return outcome;
    };
    const { charge, operation } = await world.charge(card);
    await database.query('alter table charge_operations drop constraint gone');
    expect(charge).toMatchObject({ status: 'PENDING', capturedAmount: 0 });
    expect(await typesOf(charge.id)).toEqual([]);
    provider.answer = never;
    world.clock.advance(MINUTE_MS);
    await settle(operation.id);
    expect(await world.read(charge.id)).toMatchObject({ status: 'SUCCEEDED', capturedAmount: 10 });
    expect(await typesOf(charge.id)).toEqual(['charge.succeeded']);
    expect(provider.sent).toHaveLength(1);
  });

  it('has charged, and the database is unavailable: the caller gets the charge, and no reason to retry', async () => {
    const { database } = world.context;
    provider.answer = async (outcome) => {
      await database.query('alter table charge_operations rename to away');
      return outcome;
    };
    const { charge, operation } = await world.charge(card);
    await database.query('alter table away rename to charge_operations');
    expect(charge).toMatchObject({ id: expect.any(Number), status: 'PENDING' });
    world.clock.advance(MINUTE_MS);
    await settle(operation.id);
    expect(await world.read(charge.id)).toMatchObject({ status: 'SUCCEEDED' });
    expect(provider.sent).toHaveLength(1);
  });

  it('is asked for the outcome of a charge although the token of its card cannot be decrypted', async () => {
    provider.answer = never;
    const { charge, operation } = await world.charge(card);
    await world.context.database.query(`update payment_methods set sealed_token = 'v1.x' where id = $1`, [
      card,
    ]);
    world.clock.advance(MINUTE_MS);
    await settle(operation.id);
    expect(await world.read(charge.id)).toMatchObject({ status: 'SUCCEEDED' });
    expect(provider.outcomesAsked).toMatchObject([{ providerToken: null }]);
  });

  it('is not awaited when the process stops, and its request is aborted', async () => {
    const context = await world.open();
    let heard: AbortSignal | undefined;
    provider.answer = () => new Promise(() => undefined);
    const carryOut = provider.carryOut.bind(provider);
    provider.carryOut = (request, signal) => {
      heard = signal;
      return carryOut(request);
    };
    const charging = world.charge(card, {}, context);
    await until('the provider to be asked', () => provider.sent.length === 1);
    const startedAt = Date.now();
    context.get(ProviderRequests).stop();
    const { charge, operation } = await charging;
    expect(Date.now() - startedAt).toBeLessThan(5_000);
    expect(charge.status).toBe('PENDING');
    expect(heard?.aborted).toBe(true);
    await context.close();
    world.clock.advance(MINUTE_MS);
    await settle(operation.id);
    expect(await world.read(charge.id)).toMatchObject({ status: 'SUCCEEDED' });
  });

  it('leaves nothing in memory after it has answered', async () => {
    const { stopping } = world.context.get(ProviderRequests) as unknown as {
      readonly stopping: AbortController;
    };
    // Node.js stores the dependents of a signal in sets.
    const signal = stopping.signal as unknown as Record<symbol, { readonly size?: number } | undefined>;
    const dependent = () =>
      Object.getOwnPropertySymbols(signal).reduce((sum, name) => sum + (signal[name]?.size ?? 0), 0);
    await world.charge(card);
    const before = dependent();
    for (let nth = 0; nth < 20; nth++) await world.charge(card);
    expect(dependent()).toBe(before);
    expect(getEventListeners(stopping.signal, 'abort')).toEqual([]);
  });

  it('takes longer to tell the outcome than a lease lasts: no other worker asks meanwhile', async () => {
    provider.answer = never;
    const { charge, operation } = await world.charge(card);
    world.clock.advance(MINUTE_MS);
    const claimed = () =>
      world.context.get(ProviderRequestRepository).claim(operation.id, world.clock.now(), LEASE_MS);
    let tell = (): void => undefined;
    const told = new Promise<void>((resolve) => (tell = resolve));
    const outcomeOf = provider.outcomeOf.bind(provider);
    jest.spyOn(provider, 'outcomeOf').mockImplementation(async (request) => {
      await told;
      return outcomeOf(request);
    });
    const settling = settle(operation.id);
    await sleep(LEASE_MS + 1_000);
    expect(await claimed()).toBeNull();
    tell();
    await settling;
    expect(await world.read(charge.id)).toMatchObject({ status: 'SUCCEEDED' });
  });

  it('tells the outcome to a worker that was suspended: it does not send the request as well', async () => {
    provider.arrives = () => false;
    const { operation } = await world.charge(card);
    const claimed = {
      ...(await world.context.get(ProviderRequestRepository).find(operation.id))!,
      leaseToken: randomUUID(),
    };
    provider.arrives = () => true;
    await world.context.get(ProviderRequests).resolve(claimed, () => false);
    expect(provider.outcomesAsked).toHaveLength(1);
    expect(provider.sent).toEqual([]);
    await world.context.get(ProviderRequests).resolve(claimed, () => true);
    expect(provider.sent).toHaveLength(1);
  });

  it('is asked by a worker that dies: another one asks when its lease has ended', async () => {
    provider.answer = never;
    const { charge, operation } = await world.charge(card);
    world.clock.advance(MINUTE_MS);
    const claim = () =>
      world.context.get(ProviderRequestRepository).claim(operation.id, world.clock.now(), LEASE_MS);
    // Leases use the clock of the server, which a test cannot set.
    const ageLease = (seconds: number) =>
      world.context.database.query(
        `update charge_operations set lease_until = lease_until - $1 * interval '1 second' where id = $2`,
        [seconds, operation.id],
      );
    expect(await claim()).toMatchObject({ operationId: operation.id });
    await ageLease(4);
    await settle(operation.id);
    expect([provider.outcomesAsked, (await world.read(charge.id)).status]).toEqual([[], 'PENDING']);
    await ageLease(2);
    await settle(operation.id);
    expect(await world.read(charge.id)).toMatchObject({ status: 'SUCCEEDED' });
  });
});
