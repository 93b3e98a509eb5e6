import { randomUUID } from 'node:crypto';
import { parseUrl } from '@counterfoil/kernel';
import type { ProviderRequest, PaymentProvider } from '../application/ports/payment-provider';

export interface ProviderUnderTest {
  readonly provider: PaymentProvider;
  readonly goodToken: string;
  readonly badToken: string;
  /** Returns the number of requests with this key that the provider has performed. */
  done(key: string): Promise<number>;
}

const APPROVED = { kind: 'approved' };

/** A request that creates a charge of 10 on a card. */
export function aRequest(
  providerToken: string | null,
  changes: Partial<ProviderRequest> = {},
): ProviderRequest {
  const key = randomUUID();
  return { kind: 'SALE', key, chargeKey: key, providerToken, amount: 10, currency: 'ILS', ...changes };
}

/**
 * Contract tests of every adapter of `PaymentProvider`, for a card that it approves and one that it declines.
 */
export function describePaymentProvider(name: string, given: () => ProviderUnderTest): void {
  describe(`${name} as a payment provider`, () => {
    let provider: PaymentProvider;
    let goodToken: string;

    beforeEach(() => {
      ({ provider, goodToken } = given());
    });

    it('describes cards by display fields, and knows only its own tokens', async () => {
      expect(await provider.describe(goodToken)).toEqual({
        brand: expect.stringMatching(/^[A-Z]+$/),
        last4: expect.stringMatching(/^\d{4}$/),
        expiryMonth: expect.any(Number),
        expiryYear: expect.any(Number),
      });
      for (const unknown of ['', 'nonsense', `${goodToken} `, goodToken.toUpperCase()])
        expect(await provider.describe(unknown)).toBeNull();
    });

    it('captures a sale, but not an authorization', async () => {
      expect(await provider.carryOut(aRequest(goodToken))).toEqual({ ...APPROVED, captured: true });
      const authorization = aRequest(goodToken, { kind: 'AUTHORIZATION' });
      expect(await provider.carryOut(authorization)).toEqual({ ...APPROVED, captured: false });
    });

    it('returns the reason of a decline', async () => {
      const declined = { kind: 'declined', failureCode: expect.stringMatching(/^[A-Z_]+$/) };
      expect(await provider.carryOut(aRequest(given().badToken))).toEqual(declined);
    });

    it('performs requests with one key once, also concurrently, with the same answer', async () => {
      const request = aRequest(goodToken);
      const first = await provider.carryOut(request);
      const again = await Promise.all([1, 2, 3].map(() => provider.carryOut(request)));
      expect(again).toEqual([first, first, first]);
      const other = aRequest(goodToken);
      const atOnce = await Promise.all([1, 2, 3, 4].map(() => provider.carryOut(other)));
      expect(new Set(atOnce.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
      expect([await given().done(request.key), await given().done(other.key)]).toEqual([1, 1]);
    });

    it('returns the outcome of a request as before, and unknown for one that never arrived', async () => {
      for (const request of [aRequest(goodToken), aRequest(given().badToken)]) {
        expect(await provider.outcomeOf(request)).toBe('unknown');
        expect(await given().done(request.key)).toBe(0);
        const told = await provider.carryOut(request);
        expect(await provider.outcomeOf(request)).toEqual(told);
        expect(await given().done(request.key)).toBe(1);
      }
    });

    describeChanges(given);

    it('has a URL for each page', () => {
      const urls = ['a', 'b'].map((key) => provider.pageUrl(key));
      expect(new Set(urls).size).toBe(2);
      expect(urls.every((url) => parseUrl(url) !== null)).toBe(true);
    });
  });
}

/** Changes of an existing charge, whose card may have been removed since. */
function describeChanges(given: () => ProviderUnderTest): void {
  describe('after a charge', () => {
    let provider: PaymentProvider;
    let goodToken: string;

    beforeEach(() => {
      ({ provider, goodToken } = given());
    });

    it.each(['CAPTURE', 'VOID'] as const)(
      'performs a %s without the card, by the key of the charge',
      async (kind) => {
        const started = aRequest(goodToken, { kind: 'AUTHORIZATION' });
        await provider.carryOut(started);
        const change = aRequest(null, { kind, chargeKey: started.key, amount: 4 });
        expect(await provider.carryOut(change)).toMatchObject(APPROVED);
      },
    );

    it('performs refunds without the card, each by its own key', async () => {
      const started = aRequest(goodToken);
      await provider.carryOut(started);
      for (let count = 0; count < 3; count++) {
        const refund = aRequest(null, { kind: 'REFUND', chargeKey: started.key, amount: 1 });
        expect(await provider.carryOut(refund)).toMatchObject(APPROVED);
        expect(await given().done(refund.key)).toBe(1);
      }
    });
  });
}
