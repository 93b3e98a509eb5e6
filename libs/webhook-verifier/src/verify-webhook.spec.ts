import fc from 'fast-check';
import { createHmac } from 'node:crypto';
import Stripe from 'stripe';
import { digestOf, nowSeconds, signed } from './testing/signed';
import { type WebhookVerificationReason, WebhookVerificationError } from './verification-error';
import { verifyWebhook, type WebhookDelivery } from './verify-webhook';

const SECRET = 'whsec_c2VjcmV0';
// Numbers, letters, key order and white space that a serialiser would change.
const BODY =
  '{"id":"evt_1","type":"document.created", "created":1795255920,"data":{"b":1.0,"a":1e2,"name":"caf\\u00e9 שלום 🧾","big":12345678901234567890}}';
const NOW = nowSeconds();

function verified(delivery: Partial<WebhookDelivery> = {}) {
  return verifyWebhook({
    body: BODY,
    signature: signed(SECRET, NOW, BODY),
    secret: SECRET,
    now: new Date(NOW * 1000),
    ...delivery,
  });
}

function refusal(delivery: Partial<Record<keyof WebhookDelivery, unknown>>): WebhookVerificationError {
  try {
    verified(delivery as Partial<WebhookDelivery>);
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error;
    throw error;
  }
  throw new Error('it was accepted');
}

const reasonFor = (delivery: Partial<Record<keyof WebhookDelivery, unknown>>): WebhookVerificationReason =>
  refusal(delivery).reason;

describe('a valid delivery', () => {
  it('is parsed into its envelope', () => {
    expect(verified()).toEqual({
      id: 'evt_1',
      type: 'document.created',
      created: 1_795_255_920,
      data: { b: 1, a: 100, name: 'café שלום 🧾', big: 12345678901234567890 },
    });
  });

  it('is accepted with a known signature', () => {
    // printf '1700000000.{"id":"evt_2","type":"a","created":1,"data":{}}' | openssl dgst -sha256 -hmac whsec_test
    const body = '{"id":"evt_2","type":"a","created":1,"data":{}}';
    const signature = 't=1700000000,v1=7617f5298c24c9e28860e08bf016df45404a5c5ae571eb3f3696b9eaaa24a8b7';
    const known = { body, signature, secret: 'whsec_test', now: new Date(1_700_000_000_000) };
    expect(verified(known).id).toBe('evt_2');
    expect(
      reasonFor({ ...known, signature: signature.replace(/.$/, (last) => (last === '0' ? '1' : '0')) }),
    ).toBe('wrong_signature');
  });

  it('is accepted if Stripe signed it, and Stripe accepts ours', () => {
    const stripe = new Stripe('sk_test_unused');
    const header = stripe.webhooks.generateTestHeaderString({
      payload: BODY,
      secret: SECRET,
      timestamp: NOW,
    });
    expect(verified({ signature: header }).id).toBe('evt_1');
    expect(stripe.webhooks.constructEvent(BODY, signed(SECRET, NOW, BODY), SECRET).id).toBe('evt_1');
  });

  it.each<[string, WebhookDelivery['body']]>([
    ['text', BODY],
    ['a Buffer', Buffer.from(BODY)],
    ['a part of a larger buffer', Buffer.from(`..${BODY}..`).subarray(2, -2)],
    ['bytes', new TextEncoder().encode(BODY)],
    ['an ArrayBuffer', new Uint8Array(Buffer.from(BODY)).buffer],
  ])('is accepted with a body that is %s', (_, body) => {
    expect(verified({ body }).id).toBe('evt_1');
  });

  const header = signed(SECRET, NOW, BODY);
  it.each<[string, WebhookDelivery['headers']]>([
    ["Node's headers", { host: 'a', 'service-signature': header, 'set-cookie': ['a', 'b'], via: undefined }],
    ["Fetch's Headers", new Headers({ 'Service-Signature': header })],
    ['names in any case', { 'SERVICE-Signature': header }],
    ['a list of one', { 'service-signature': [header] }],
    ['the same twice in a list', { 'service-signature': [header, header] }],
    ['the same twice in one value', { 'service-signature': `${header}, ${header}` }],
    ['a header named get', { get: 'something', 'service-signature': header }],
  ])('is found in %s', (_, headers) => {
    expect(verified({ signature: undefined, headers }).id).toBe('evt_1');
  });

  it('is checked with its own header if both are given', () => {
    expect(verified({ headers: { 'service-signature': 't=1,v1=0' } }).id).toBe('evt_1');
  });

  it('may have spaces, upper-case digits and unknown schemes', () => {
    const digest = digestOf(SECRET, NOW, BODY).toUpperCase();
    expect(verified({ signature: ` v0=x , t=${NOW} , v2=${digest}== , v1=${digest} ` }).id).toBe('evt_1');
  });
});

describe('during a rotation of the secret', () => {
  const [old, own] = [digestOf('whsec_old', NOW, BODY), digestOf(SECRET, NOW, BODY)];

  it.each([
    ['first', `t=${NOW},v1=${own},v1=${old}`],
    ['second', `t=${NOW},v1=${old},v1=${own}`],
    ['behind a broken one', `t=${NOW},v1=,v1=zz,v1=${own}`],
  ])('the matching signature may be %s', (_, signature) => {
    expect(verified({ signature }).id).toBe('evt_1');
  });

  it('the receiver may have several secrets, and empty ones are ignored', () => {
    expect(verified({ secret: ['whsec_other', undefined, '', SECRET] }).id).toBe('evt_1');
    expect(reasonFor({ secret: ['whsec_other', 'whsec_another'] })).toBe('wrong_signature');
  });
});

describe('the time of the signature', () => {
  const at = (timestamp: number, delivery: Partial<WebhookDelivery> = {}) => ({
    signature: signed(SECRET, timestamp, BODY),
    ...delivery,
  });

  it('may differ from now by up to 300 seconds, in both directions', () => {
    for (const age of [-300, 0, 300]) expect(verified(at(NOW - age)).id).toBe('evt_1');
    for (const age of [-301, 301]) expect(reasonFor(at(NOW - age))).toBe('timestamp_out_of_tolerance');
  });

  it("may differ from now by the receiver's tolerance", () => {
    expect(verified(at(NOW - 10, { toleranceSeconds: 10 })).id).toBe('evt_1');
    expect(reasonFor(at(NOW - 11, { toleranceSeconds: 10 }))).toBe('timestamp_out_of_tolerance');
    expect(verified(at(0, { toleranceSeconds: Infinity })).id).toBe('evt_1');
  });

  it('is compared with the clock of the machine by default', () => {
    expect(verified(at(nowSeconds(), { now: undefined })).id).toBe('evt_1');
    expect(reasonFor(at(nowSeconds() - 302, { now: undefined }))).toBe('timestamp_out_of_tolerance');
  });

  it.each([{ toleranceSeconds: NaN }, { toleranceSeconds: '5m' }, { now: new Date('never') }])(
    'is refused with %p',
    (delivery) => {
      expect(reasonFor(delivery)).toBe('timestamp_out_of_tolerance');
    },
  );

  it('is reported only for a valid signature', () => {
    expect(reasonFor({ signature: signed('whsec_other', NOW - 1000, BODY) })).toBe('wrong_signature');
  });
});

describe('a refusal', () => {
  it.each<[string, WebhookDelivery['body']]>([
    ['written again', JSON.stringify(JSON.parse(BODY))],
    ['one space longer', `${BODY} `],
    ['empty', ''],
    ['in another encoding', Buffer.from(BODY, 'latin1')],
  ])('for a body that is %s', (_, body) => {
    expect(reasonFor({ body })).toBe('wrong_signature');
  });

  it.each([
    ['another secret', 'whsec_other'],
    ['the secret without its prefix', SECRET.slice(6)],
    ['the bytes that the secret stands for', Buffer.from('secret').toString('latin1')],
  ])('%s', (_, secret) => {
    expect(reasonFor({ secret })).toBe('wrong_signature');
  });

  it.each([undefined, null, '', [], [''], [undefined], 7, {}])('for the secret %p', (secret) => {
    // Anyone could sign with an empty secret.
    const forged = createHmac('sha256', '').update(`${NOW}.${BODY}`).digest('hex');
    expect(reasonFor({ secret, signature: `t=${NOW},v1=${forged}` })).toBe('missing_secret');
  });

  it.each([undefined, null, '', [], ['']])('for the signature %p, as missing', (signature) => {
    expect(reasonFor({ signature })).toBe('missing_signature');
    expect(reasonFor({ signature: undefined, headers: { 'service-signature': signature } })).toBe(
      'missing_signature',
    );
  });

  it.each([undefined, null, {}, { 'stripe-signature': 't=1,v1=0' }, new Headers(), 'text'])(
    'for the headers %p, as missing a signature',
    (headers) => {
      expect(reasonFor({ signature: undefined, headers })).toBe('missing_signature');
    },
  );

  const digest = digestOf(SECRET, NOW, BODY);
  it.each<[string, unknown]>([
    ['no time', `v1=${digest}`],
    ['no digest', `t=${NOW}`],
    ['a digest of another scheme alone', `t=${NOW},v0=${digest}`],
    ['a digest that is too short', `t=${NOW},v1=${digest.slice(1)}`],
    ['a digest that is too long', `t=${NOW},v1=${digest}0`],
    ['a digest that is not hex', `t=${NOW},v1=${'g'.repeat(64)}`],
    ['two times', `t=${NOW},t=${NOW - 1},v1=${digest}`],
    ['two times in a list', [`t=${NOW},v1=${digest}`, `t=${NOW + 1},v1=${digest}`]],
    ['a time that is no number', `t=now,v1=${digest}`],
    ['a time below zero', `t=-1,v1=${digest}`],
    ['a time of thirteen digits', `t=${NOW}000,v1=${digest}`],
    ['digits of another script', `t=٣,v1=${digest}`],
    ['a megabyte', `t=${NOW},v1=${digest}${`,v1=${digest}`.repeat(16_000)}`],
    ['a number', 7],
    ['an object', { toString: () => `t=${NOW},v1=${digest}` }],
    ['a list with what has no text', [Object.create(null)]],
  ])('for a signature with %s, as malformed', (_, signature) => {
    expect(reasonFor({ signature })).toBe('malformed_signature');
  });

  it.each<[string, string | Buffer]>([
    ['nothing', ''],
    ['text', 'hello'],
    ['an array', '[]'],
    ['null', 'null'],
    ['no id', '{"type":"a","created":1,"data":{}}'],
    ['an empty id', '{"id":"","type":"a","created":1,"data":{}}'],
    ['a numeric type', '{"id":"evt_1","type":1,"created":1,"data":{}}'],
    ['a date as its time', '{"id":"evt_1","type":"a","created":"2026-01-01","data":{}}'],
    ['no data', '{"id":"evt_1","type":"a","created":1,"data":null}'],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
  ])('for a body of %s with a valid signature, as malformed', (_, body) => {
    expect(reasonFor({ body, signature: signed(SECRET, NOW, body) })).toBe('malformed_body');
  });

  it.each<[string, unknown]>([
    ['an object that was parsed already', JSON.parse(BODY)],
    ['nothing at all', undefined],
    ['null', null],
    ['a number', 7],
    ['a promise', Promise.resolve(BODY)],
  ])('for a body that is %s, with the remedy', (_, body) => {
    const { reason, message } = refusal({ body });
    expect(reason).toBe('body_not_raw');
    expect(message).toContain('bytes as they arrived');
    expect(message).toContain('express.raw');
  });

  it('without revealing the secret', () => {
    for (const delivery of [{ body: 'x' }, { signature: 'x' }, { body: {} }, { toleranceSeconds: -1 }])
      expect(`${refusal(delivery).message} ${JSON.stringify(refusal(delivery))}`).not.toContain(SECRET);
  });
});

describe('arbitrary input', () => {
  const anything = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string().map((text) => `t=${NOW},v1=${text}`),
    fc
      .array(fc.constantFrom('t', 'v1', '=', ',', ' ', `${NOW}`, 'ab'.repeat(32)))
      .map((parts) => parts.join('')),
    fc.array(fc.string()),
    fc.anything({ withNullPrototype: true, withTypedArray: true }),
  );

  it('no header is accepted or does anything but being refused', () => {
    fc.assert(
      fc.property(anything, (signature) => {
        expect(refusal({ signature })).toBeInstanceOf(WebhookVerificationError);
        expect(refusal({ signature: undefined, headers: { 'service-signature': signature } })).toBeInstanceOf(
          WebhookVerificationError,
        );
        // An object of headers may have a header `get`, which is not the method of `Headers`.
        if (typeof (signature as { get?: unknown } | null)?.get !== 'function')
          expect(refusal({ signature: undefined, headers: signature }).reason).toBe('missing_signature');
      }),
    );
  });

  it('no body is accepted with the signature of another one', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.uint8Array(), fc.anything()), (body) => {
        expect(['wrong_signature', 'body_not_raw']).toContain(reasonFor({ body }));
      }),
    );
  });

  it('one digit changed anywhere in header or body is refused', () => {
    const header = signed(SECRET, NOW, BODY);
    fc.assert(
      fc.property(fc.nat(header.length - 1), fc.nat(BODY.length - 1), (inHeader, inBody) => {
        const flipped = (text: string, at: number) =>
          `${text.slice(0, at)}${text[at] === '0' ? '1' : '0'}${text.slice(at + 1)}`;
        expect(() => verified({ signature: flipped(header, inHeader) })).toThrow(WebhookVerificationError);
        expect(reasonFor({ body: flipped(BODY, inBody) })).toBe('wrong_signature');
      }),
    );
  });
});
