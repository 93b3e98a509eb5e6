import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Idempotency, type IdempotentCall, IdempotencyKeyTaken } from '@counterfoil/idempotency';
import type { AppError } from '@counterfoil/kernel';
import { PaymentsWorld } from '../testing/payments-world';
import type { StartedOperation } from './idempotent-operations';
import { CreateCharge } from './create-charge';
import { ProviderRequests } from './provider-requests';
import { ChargeRepository } from './ports/charge.repository';
import { ProviderRequestRepository } from './ports/provider-request.repository';
import { PaymentsReader } from './ports/payments.reader';
import { ResolveProviderRequest } from './resolve-provider-request';

const SECOND_MS = 1_000;

describe('a charge whose call ended before it had a response', () => {
  let world: PaymentsWorld;
  let card: number;
  let calls = 0;
  let call: IdempotentCall<StartedOperation>;

  beforeAll(async () => {
    world = await PaymentsWorld.start();
    card = await world.givenCard('tok_approved');
  });
  afterAll(() => world.close());
  beforeEach(() => {
    calls += 1;
    const fingerprint = createHash('sha256').update('a charge').digest();
    call = {
      key: { key: `order-${calls}`, fingerprint },
      responseTo: ({ charge, operation }) => JSON.stringify({ id: operation.id, status: charge.status }),
    };
  });
  afterEach(() => jest.restoreAllMocks());

  const charge = () => {
    const asked = {
      tokenId: card,
      amount: 10,
      currency: 'ILS',
      entityId: null,
      documentId: null,
      capture: true,
    };
    return world.context.get(CreateCharge).execute(world.caller, asked, call);
  };
  /** Simulates a process that dies between the two commits. */
  async function startAndLose(): Promise<void> {
    const sending = jest
      .spyOn(world.context.get(ProviderRequests), 'send')
      .mockRejectedValueOnce(new Error('killed'));
    await expect(charge()).rejects.toThrow('killed');
    sending.mockRestore();
  }
  const settle = async () => {
    for (const id of await world.pending()) await world.context.get(ResolveProviderRequest).execute(id);
  };
  const response = async () => {
    await expect(charge()).rejects.toBeInstanceOf(IdempotencyKeyTaken);
    const text = await world.context.get(Idempotency).resolveTaken(world.caller.companyId, call.key);
    return (JSON.parse(text) as { status: string }).status;
  };
  const inProgress = expect.objectContaining({ code: 'REQUEST_IN_PROGRESS' }) as AppError;

  it('is in progress until the worker has settled it, and then always returns that outcome', async () => {
    await startAndLose();
    await expect(charge()).rejects.toEqual(inProgress);
    world.clock.advance(31 * SECOND_MS);
    await expect(charge()).rejects.toEqual(inProgress);
    await settle();
    expect(await response()).toBe('SUCCEEDED');
    world.clock.advance(86_400 * SECOND_MS);
    expect(await response()).toBe('SUCCEEDED');
  });

  it('returns its current state after 90 seconds without a worker, and keeps that response', async () => {
    await startAndLose();
    world.clock.advance(89 * SECOND_MS);
    await expect(charge()).rejects.toEqual(inProgress);
    world.clock.advance(2 * SECOND_MS);
    expect(await response()).toBe('PENDING');
    await settle();
    expect(await response()).toBe('PENDING');
    expect(await world.pending()).toEqual([]);
  });

  it('returns the same response to the first call, if that is so slow that another was answered before', async () => {
    jest.spyOn(world.context.get(ProviderRequests), 'send').mockImplementationOnce(async () => {
      world.clock.advance(100 * SECOND_MS);
      expect(await response()).toBe('PENDING');
      await settle();
      return true;
    });
    await expect(charge()).rejects.toBeInstanceOf(IdempotencyKeyTaken);
    expect(await response()).toBe('PENDING');
  });

  it('is not sent to the provider by a call that reaches it late', async () => {
    const requests = world.context.get(ProviderRequests);
    const send = requests.send.bind(requests);
    jest.spyOn(requests, 'send').mockImplementationOnce((operation) => {
      world.clock.advance(9 * SECOND_MS);
      return send(operation);
    });
    const { charge: late } = await charge();
    expect(late.status).toBe('PENDING');
    expect(await world.requestsOf(late.id)).toEqual([]);
    world.clock.advance(30 * SECOND_MS);
    await settle();
    expect(await world.requestsOf(late.id)).toMatchObject([{ sent: 1 }]);
  });

  it.each([
    ['recorded', () => jest.spyOn(world.context.get(ChargeRepository), 'lock')],
    ['read back', () => jest.spyOn(world.context.get(PaymentsReader), 'charge')],
  ])('waits for one statement of an unavailable database, by which it cannot be %s', async (_, spy) => {
    spy().mockRejectedValueOnce(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' }));
    const others = [
      jest.spyOn(world.context.get(ProviderRequestRepository), 'postpone'),
      jest.spyOn(world.context.get(Idempotency), 'complete'),
    ].map((statement) => statement.mockReturnValue(new Promise(() => undefined)));
    const answered = await Promise.race([charge(), sleep(2_000, null, { ref: false })]);
    expect(answered?.charge.status).toBe('PENDING');
    for (const statement of others) statement.mockRestore();
    world.clock.advance(91 * SECOND_MS);
    await settle();
    expect(await response()).toBe('SUCCEEDED');
    expect(await world.requestsOf(answered!.charge.id)).toMatchObject([{ sent: 1 }]);
  });

  it('reports to another call that is refused meanwhile that it is in progress', async () => {
    await startAndLose();
    const { companyId } = world.caller;
    await expect(world.context.get(Idempotency).resolveRefused(companyId, call.key)).rejects.toEqual(
      inProgress,
    );
    world.clock.advance(91 * SECOND_MS);
    await settle();
  });
});
