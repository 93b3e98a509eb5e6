import {
  boolean,
  type BodyUnderTest,
  choice,
  currency,
  date,
  id,
  type Kind,
  kind,
  money,
  required,
  text,
} from './invalid-values';

/** Test card numbers in various spellings, alone and inside other text. */
const CARD_NUMBERS = [
  '4242424242424242',
  '4242 4242 4242 4242',
  '4242-4242-4242-4242',
  'card\n4242\n4242\n4242\n4242',
  '4242\u20134242\u20134242\u20134242',
  '4242\u200b4242\u200b4242\u200b4242',
  '4242/4242/4242/4242',
  '٤٢٤٢ ٤٢٤٢ ٤٢٤٢ ٤٢٤٢',
  'card 378282246310005, expires 12/34',
  '４２４２ ４２４２ ４２４２ ４２４２',
].map((text) => JSON.stringify(text));

const cardless = (of: Kind): Kind => ({ ...of, wrong: [...of.wrong, ...CARD_NUMBERS] });
/** For fields in which an empty text counts as omitted. */
const mayBeEmpty = (of: Kind): Kind => ({ ...of, wrong: of.wrong.filter((literal) => literal !== '""') });

/** Invalid values for the fields of the payment gateway, see `invalid-fields.ts`. */
export const GATEWAY_BODIES: readonly BodyUnderTest[] = [
  {
    name: 'a card',
    method: 'POST',
    path: '/gateway/tokens',
    valid: { provider: 'sandbox', providerToken: 'tok_approved' },
    fields: {
      provider: required(kind([...text(50).wrong, '"Sandbox"', '"stripe"', '"__proto__"'], false)),
      providerToken: required(
        cardless(kind([...text(500).wrong, '"tok_unknown"', '"TOK_APPROVED"', '"tok_approved "'], false)),
      ),
      entityId: id,
    },
  },
  {
    name: 'a charge',
    method: 'POST',
    path: '/gateway/charges',
    valid: { tokenId: 1, amount: 118 },
    fields: {
      tokenId: required(id),
      amount: required(money),
      currency,
      entityId: id,
      documentId: id,
      capture: boolean,
    },
  },
  {
    name: 'a capture',
    method: 'POST',
    path: '/gateway/charges/1/capture',
    valid: {},
    fields: { amount: money },
  },
  {
    name: 'a refund',
    method: 'POST',
    path: '/gateway/charges/1/refund',
    valid: {},
    fields: { amount: money, reason: mayBeEmpty(cardless(text(500))) },
  },
  {
    name: 'a payment page',
    method: 'POST',
    path: '/gateway/payments/payment-pages',
    valid: { amount: 118, description: 'Order 7' },
    fields: {
      amount: required(money),
      currency,
      description: required(cardless(text(200))),
      entityId: id,
    },
  },
  {
    name: 'a payment on the sandbox',
    method: 'POST',
    path: '/gateway/sandbox/pages/unknown/pay',
    valid: { providerToken: 'tok_approved' },
    fields: { providerToken: required(cardless(text(500))) },
  },
  {
    name: 'a recurring payment',
    method: 'POST',
    path: '/gateway/recurring-payments',
    valid: { tokenId: 1, amount: 59, interval: 'MONTHLY', nextRunDate: '2027-01-31' },
    fields: {
      tokenId: required(id),
      amount: required(money),
      currency,
      interval: required(kind([...choice.wrong, '"monthly"', '"DAILY"'], false)),
      nextRunDate: required(kind([...date.wrong, '"1999-12-31"'], false)),
      entityId: id,
    },
  },
];
