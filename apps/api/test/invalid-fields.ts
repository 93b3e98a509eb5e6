import { DEFINITION_BODIES } from './invalid-definitions';
import { EXPENSE_BODIES } from './invalid-expenses';
import { GATEWAY_BODIES } from './invalid-gateway';
import { MAIL_BODIES } from './invalid-mails';
import { PARTY_BODIES } from './invalid-parties';
import { PRODUCT_BODIES } from './invalid-products';
import { RATE_BODIES } from './invalid-rates';
import { RETAINER_BODIES } from './invalid-retainers';
import { STOCK_BODIES } from './invalid-stock';
import {
  allocationNumber,
  type BodyUnderTest,
  choice,
  clearableText,
  currency,
  date,
  days,
  eventType,
  eventTypes,
  id,
  ids,
  kind,
  money,
  objects,
  onEdit,
  overlapHours,
  percent,
  quantity,
  required,
  text,
  timestamp,
  unitPrice,
  url,
} from './invalid-values';

/**
 * Invalid values for each field of each body. They are JSON text, because JavaScript would change `1e309`,
 * `-0` and `9007199254740993`.
 */
export interface InvalidField {
  readonly body: string;
  readonly method: 'POST' | 'PUT';
  readonly path: string;
  readonly field: string;
  /** null: the field is omitted. */
  readonly literal: string | null;
  /** The whole body as sent. */
  readonly sent: string;
}

const ITEM = { description: 'Consulting', quantity: 1, unitPrice: 1 };
const PAYMENT = { method: 'CASH', amount: 1 };
const ALLOCATION = { documentId: 1, amount: 1 };
/** In a body, types have only one spelling. */
const documentType = kind([...choice.wrong, '"quote"', '"tax-invoice"', '"SUPPLIER_INVOICE"'], false);
const allocationFields = {
  'allocations[0]': kind(['5', '"x"', 'null', 'true'], false),
  'allocations[0].documentId': required(id),
  'allocations[0].amount': required(money),
};

const reminderDays = kind(
  [
    ...['5', '"x"', 'null', 'true', '{}', '{"0":1}', '["1"]', '[null]', '[[1]]', '[1.5]', '[1e309]'],
    ...['[-91]', '[366]', '[1,1]', '[0,-0]', '[0,1,2,3,4,5,6,7,8,9,10]'],
  ],
  false,
);

/** Bodies are validated first, so an unknown id is sufficient and nothing is changed. */
const UNKNOWN_ENDPOINT = '/gateway/webhooks/we_000000000000000000000000';

const BODIES: readonly BodyUnderTest[] = [
  ...PARTY_BODIES,
  ...PRODUCT_BODIES,
  ...STOCK_BODIES,
  ...EXPENSE_BODIES,
  ...RATE_BODIES,
  ...DEFINITION_BODIES,
  ...RETAINER_BODIES,
  ...MAIL_BODIES,
  ...GATEWAY_BODIES,
  {
    name: 'a document',
    method: 'POST',
    path: '/documents/create/tax-invoice-receipt',
    valid: { entityId: 1, items: [ITEM], payments: [PAYMENT] },
    fields: {
      entityId: required(id),
      issueDate: date,
      dueDate: date,
      currency,
      items: required(objects),
      'items[0]': kind(['5', '"x"', 'null', 'true'], false),
      'items[0].description': required(text(500)),
      'items[0].quantity': required(quantity),
      'items[0].unitPrice': required(unitPrice),
      'items[0].productId': id,
      'items[0].discountPercent': percent,
      'items[0].vatRate': percent,
      payments: objects,
      'payments[0]': kind(['5', '"x"', 'null', 'true'], false),
      'payments[0].method': required(choice),
      'payments[0].amount': required(money),
      'payments[0].date': date,
      'payments[0].note': clearableText(200),
      externalId: clearableText(64),
      notes: clearableText(2000),
      allocations: objects,
      linkedDocumentIds: ids,
      refundOf: id,
      retainerId: id,
    },
  },
  {
    name: 'a receipt with allocations',
    method: 'POST',
    path: '/documents/create/receipt',
    valid: { entityId: 1, payments: [PAYMENT], allocations: [ALLOCATION] },
    fields: allocationFields,
  },
  {
    name: 'a preview',
    method: 'POST',
    path: '/documents/preview',
    valid: { type: 'QUOTE', entityId: 1, items: [ITEM] },
    fields: {
      type: required(documentType),
      entityId: required(id),
      issueDate: date,
      currency,
      items: required(objects),
    },
  },
  ...['html', 'pdf'].map((format): BodyUnderTest => ({
    name: `a preview as ${format}`,
    method: 'POST',
    path: `/documents/preview/${format}`,
    valid: { type: 'QUOTE', entityId: 1, items: [ITEM] },
    fields: { type: required(documentType), entityId: required(id), 'items[0].quantity': required(quantity) },
  })),
  {
    name: 'a link to a document',
    method: 'POST',
    path: '/documents/id/1/share',
    valid: {},
    fields: {
      expiresInDays: kind([...days.wrong.filter((literal) => literal !== '366'), '0', '367'], false),
      expiresAt: timestamp,
      stamp: choice,
      language: choice,
      paymentPageId: id,
    },
  },
  {
    name: 'allocations of a receipt',
    method: 'POST',
    path: '/documents/allocate',
    valid: { receiptId: 1, allocations: [ALLOCATION] },
    fields: {
      receiptId: required(id),
      allocations: required(kind([...objects.wrong, '[]'], false)),
      ...allocationFields,
    },
  },
  {
    name: 'a cancellation',
    method: 'POST',
    path: '/documents/cancel/00000000-0000-4000-8000-000000000000',
    valid: { reason: 'a mistake' },
    fields: { reason: required(text(500)) },
  },
  {
    name: 'an allocation number',
    method: 'POST',
    path: '/documents/approval-number/00000000-0000-4000-8000-000000000000',
    valid: { approvalNumber: '123456789' },
    fields: { approvalNumber: required(allocationNumber) },
  },
  {
    name: 'a key',
    method: 'POST',
    path: '/api-keys',
    valid: { role: 'viewer', userName: 'Dana' },
    fields: { role: required(choice), userName: required(text(200)) },
  },
  {
    name: 'the company',
    method: 'PUT',
    path: '/company',
    valid: { address: { street: 'Herzl', city: 'Haifa' }, bankAccounts: [{ bank: '12', account: '1' }] },
    fields: {
      name: onEdit(text(200)),
      taxId: onEdit(text(20)),
      defaultPaymentTermType: onEdit(choice),
      defaultPaymentTermDays: onEdit(days),
      defaultWithholdingTaxRate: onEdit(percent),
      defaultVatRate: onEdit(percent),
      roundDocumentTotal: onEdit(choice),
      booksClosedUntil: date,
      legalName: clearableText(200),
      'address.street': required(text(200)),
      'address.city': required(text(100)),
      phoneNumber: clearableText(20),
      email: kind(['"a"', '"a@b"', ...clearableText(254).wrong], false),
      website: kind(['"acme.example"', '"ftp://acme.example"', ...clearableText(200).wrong], false),
      'bankAccounts[0].bank': required(text(100)),
      'bankAccounts[0].account': required(text(40)),
      documentFooter: kind(
        [
          ...clearableText(500).wrong,
          ...['\n', '\r', '\u2028'].map((end) => JSON.stringify(`a${end}`.repeat(6))),
        ],
        false,
      ),
      accentColor: kind([...clearableText(7).wrong, '"red"', '"#12345"', '"#gggggg"'], false),
      logoFileId: id,
      documentLanguage: choice,
      reminderDays,
    },
  },
  {
    name: 'an endpoint',
    method: 'POST',
    path: '/webhooks',
    valid: { url: 'https://127.0.0.1:9/hook', events: ['*'] },
    fields: {
      url: required(url),
      events: required(eventTypes),
      'events[0]': eventType,
    },
  },
  {
    name: 'an endpoint that is changed',
    method: 'PUT',
    path: UNKNOWN_ENDPOINT,
    valid: { url: 'https://127.0.0.1:9/hook', events: ['*'] },
    fields: { url: onEdit(url), events: onEdit(eventTypes), 'events[0]': eventType },
  },
  {
    name: 'a change of secrets',
    method: 'POST',
    path: `${UNKNOWN_ENDPOINT}/rotate-secret`,
    valid: {},
    fields: { overlapHours },
  },
  {
    name: 'a test event',
    method: 'POST',
    path: `${UNKNOWN_ENDPOINT}/test`,
    valid: {},
    fields: { type: kind([...choice.wrong, '"*"', '"DOCUMENT.CREATED"'], false) },
  },
  {
    name: 'a replay',
    method: 'POST',
    path: `${UNKNOWN_ENDPOINT}/replay`,
    valid: { since: '2026-01-01' },
    fields: {
      since: required(timestamp),
      until: timestamp,
      state: kind([...choice.wrong, '"PENDING"', '"claimed"'], false),
    },
  },
];

/** Returns every invalid value of every field, including missing and null values of required fields. */
export function invalidFields(): InvalidField[] {
  return BODIES.flatMap(({ name, method, path, valid, fields }) =>
    Object.entries(fields).flatMap(([field, { wrong, required: mustBeSent }]) => {
      const literals = [...wrong, ...(mustBeSent ? ['null', null] : [])];
      return literals.map((literal) => ({
        body: name,
        method,
        path,
        field,
        literal,
        sent: withLiteral(valid, field, literal),
      }));
    }),
  );
}

const PLACE = '@@here@@';

/** Returns the body as JSON with a value replaced. */
function withLiteral(valid: object, field: string, literal: string | null): string {
  const body = structuredClone(valid) as Record<string, unknown>;
  const steps = field.split(/[.[\]]+/).filter((step) => step !== '');
  const last = steps.pop() ?? '';
  let at = body;
  for (const step of steps) at = at[step] as Record<string, unknown>;
  if (literal === null) delete at[last];
  else at[last] = PLACE;
  return JSON.stringify(body).replace(`"${PLACE}"`, () => literal ?? '');
}
