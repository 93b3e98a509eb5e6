import { PaymentProviders, ProviderUnanswered } from '../../application/ports/payment-provider';
import { BAD_TOKEN, FakeProvider, GOOD_TOKEN } from '../../testing/fake-provider';
import { aRequest, describePaymentProvider } from '../../testing/payment-provider.contract';
import { PaymentsWorld } from '../../testing/payments-world';

let world: PaymentsWorld;
const sandbox = () => world.context.get(PaymentProviders).find('sandbox')!;

beforeAll(async () => {
  world = await PaymentsWorld.start();
});
afterAll(() => world.close());

describePaymentProvider('the sandbox', () => ({
  provider: sandbox(),
  goodToken: 'tok_approved',
  badToken: 'tok_declined',
  done: async (key) => {
    const requests = 'select 1 from sandbox_orders where order_key = $1';
    return (await world.context.database.query(requests, [key])).length;
  },
}));

const fake = new FakeProvider();
describePaymentProvider('the fake of other tests', () => ({
  provider: fake,
  goodToken: GOOD_TOKEN,
  badToken: BAD_TOKEN,
  done: (key) => Promise.resolve(fake.booked.has(key) ? 1 : 0),
}));

describe('the sandbox, by its test tokens', () => {
  it.each([
    ['tok_timeout', { kind: 'approved', captured: true }],
    ['tok_lost', { kind: 'declined', failureCode: 'DECLINED' }],
  ])('%s does not answer, and reports the outcome later', async (token, outcome) => {
    const request = aRequest(token);
    await expect(sandbox().carryOut(request)).rejects.toBeInstanceOf(ProviderUnanswered);
    expect(await sandbox().outcomeOf(request)).toEqual(outcome);
  });

  it('tok_authorize_only only authorizes every request', async () => {
    const approved = { kind: 'approved', captured: false };
    expect(await sandbox().carryOut(aRequest('tok_authorize_only'))).toEqual(approved);
  });

  it.each([
    ['tok_capture_declined', 'AUTHORIZATION', 'CAPTURE', 'AUTHORIZATION_EXPIRED'],
    ['tok_refund_declined', 'SALE', 'REFUND', 'REFUND_DECLINED'],
  ] as const)('%s approves the %s and declines the %s', async (token, begins, kind, failureCode) => {
    const started = aRequest(token, { kind: begins });
    expect(await sandbox().carryOut(started)).toMatchObject({ kind: 'approved' });
    const change = aRequest(null, { kind, chargeKey: started.key });
    expect(await sandbox().carryOut(change)).toEqual({ kind: 'declined', failureCode });
  });

  it('describes exactly its test tokens', async () => {
    const described = await Promise.all(
      sandbox().testTokens.map(({ providerToken }) => sandbox().describe(providerToken)),
    );
    expect(described).toHaveLength(7);
    expect(described).not.toContain(null);
  });
});
