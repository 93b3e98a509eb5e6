import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { newSigningSecret } from './endpoint';
import { serviceSignature, standardWebhooksSignature } from './signature';

// Numbers, letters and key order that a serialiser would change.
const BODY =
  '{"id":"evt_1","object":"event","b":1.0,"a":1e2,"name":"caf\\u00e9 \u05e9\u05dc\u05d5\u05dd","big":12345678901234567890}';
const NOW = Math.floor(Date.now() / 1000);

describe('the signature (contract §15.8)', () => {
  const stripe = new Stripe('sk_test_unused');
  const secret = newSigningSecret();
  const header = serviceSignature([secret], NOW, BODY);

  it('is the known value for known input', () => {
    expect(serviceSignature(['whsec_test'], 1_700_000_000, '{"a":1}')).toBe(
      't=1700000000,v1=38877139021993b830af32feea6e18a8da83eb2f6e49ee50bd9e4cf4ca4d3789',
    );
  });

  it('is accepted by the unmodified Stripe verifier', () => {
    expect(stripe.webhooks.constructEvent(BODY, header, secret).id).toBe('evt_1');
  });

  it.each([
    ['re-serialised', JSON.stringify(JSON.parse(BODY)), header, secret],
    ['a body with one more space', `${BODY} `, header, secret],
    ['an older time than the tolerance', BODY, serviceSignature([secret], NOW - 301, BODY), secret],
    ['another secret', BODY, header, newSigningSecret()],
    ['the secret without its prefix', BODY, header, secret.slice(6)],
  ])('is refused by the Stripe verifier for %s', (_, body, signature, key) => {
    expect(() => stripe.webhooks.constructEvent(body, signature, key)).toThrow(
      Stripe.errors.StripeSignatureVerificationError,
    );
  });

  it('is accepted by the Standard Webhooks verifier', () => {
    const headers = {
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(NOW),
      'webhook-signature': standardWebhooksSignature([secret], 'evt_1', NOW, BODY),
    };
    expect(new Webhook(secret).verify(BODY, headers)).toMatchObject({ id: 'evt_1' });
    expect(() => new Webhook(secret).verify(`${BODY} `, headers)).toThrow();
  });
});
