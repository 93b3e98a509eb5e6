/**
 * What is wrong for each field of each body. The wrong values are JSON as it is sent, since `1e309`, `-0` and
 * `9007199254740993` are something else once JavaScript has read them.
 */
export interface WrongField {
  readonly body: string;
  readonly method: 'POST' | 'PUT';
  readonly path: string;
  readonly field: string;
  /** Null: the field is left out. */
  readonly literal: string | null;
  /** The whole body, as it is sent. */
  readonly sent: string;
}

interface Kind {
  readonly wrong: readonly string[];
  readonly required: boolean;
}

interface BodyUnderTest {
  readonly name: string;
  readonly method: 'POST' | 'PUT';
  readonly path: string;
  readonly valid: object;
  readonly fields: Readonly<Record<string, Kind>>;
}

const OTHER_THINGS = ['true', 'false', '{}', '[]', '{"constructor":5}', '[1]'];
const NOT_NUMBERS = ['"1"', '"abc"', '""', ...OTHER_THINGS];
const NOT_TEXT = ['5', '0', '1e309', ...OTHER_THINGS, '["x"]'];
const BAD_TEXT = ['""', '"   "', '"a\\u0000b"', '"\\ud800"', '"\\udc00x"'];
const HUGE = ['1e21', '1e308', '1e309', '-1e309', '99999999999999999999'];

const kind = (wrong: readonly string[], required: boolean): Kind => ({ wrong, required });
const required = (of: Kind): Kind => ({ ...of, required: true });

const text = (max: number) => kind([...NOT_TEXT, ...BAD_TEXT, JSON.stringify('x'.repeat(max + 1))], false);
const choice = kind([...NOT_TEXT, ...BAD_TEXT, '"NOPE"', '"toString"', '"__proto__"'], false);
const id = kind([...NOT_NUMBERS, ...HUGE, '0', '-0', '-1', '1.5', '9007199254740993'], false);
const days = kind([...NOT_NUMBERS, ...HUGE, '-1', '1.5', '366'], false);
const money = kind(
  [...NOT_NUMBERS, ...HUGE, '0', '-0', '-1', '0.001', '1.005', '1e-7', '1000000000000'],
  false,
);
const quantity = kind([...NOT_NUMBERS, ...HUGE, '0', '-0', '-1', '0.00001', '1e-7', '10000000000'], false);
const unitPrice = kind([...NOT_NUMBERS, ...HUGE, '-1', '-0.0001', '0.00001', '10000000000'], false);
const percent = kind([...NOT_NUMBERS, ...HUGE, '-1', '100.0001', '18.00001', '101'], false);
const date = kind(
  [
    ...NOT_TEXT,
    ...BAD_TEXT,
    '"2026-02-30"',
    '"2026-1-5"',
    '"2026-13-01"',
    '"21/11/2026"',
    '"2026-11-21T00:00:00Z"',
    '"0000-01-01"',
    '"٢٠٢٦-١١-٢١"',
  ],
  false,
);
const currency = kind([...NOT_TEXT, ...BAD_TEXT, '"ils"', '"ZZZ"', '"ILSX"', '"₪"'], false);
const objects = kind(['5', '"x"', 'true', '{}', '{"0":{}}', '[[]]', '[[{}]]', '{"length":1}'], false);
const ids = kind(
  [
    '5',
    '"x"',
    'true',
    '{}',
    '{"0":1}',
    '["1"]',
    '[0]',
    '[-1]',
    '[1.5]',
    '[null]',
    '[[1]]',
    '[9007199254740993]',
  ],
  false,
);
const approvalNumber = kind([...text(64).wrong, '"12 34"', '"מספר"', '"1\\n"', '"a\\tb"'], false);
const email = kind([...text(254).wrong, '"a"', '"a@b"', '"a b@c.d"', '"@"'], false);
/** On edit, null is refused as well (decisions §1). */
const onEdit = (of: Kind): Kind => ({ ...of, wrong: [...of.wrong, 'null'] });

const ITEM = { description: 'Consulting', quantity: 1, unitPrice: 1 };
const PAYMENT = { method: 'CASH', amount: 1 };
const ALLOCATION = { documentId: 1, amount: 1 };
/** In a body the type is written in one way only. */
const documentType = kind([...choice.wrong, '"quote"', '"tax-invoice"', '"SUPPLIER_INVOICE"'], false);
const allocationFields = {
  'allocations[0]': kind(['5', '"x"', 'null', 'true'], false),
  'allocations[0].documentId': required(id),
  'allocations[0].amount': required(money),
};

const BODIES: readonly BodyUnderTest[] = [
  {
    name: 'a new client',
    method: 'POST',
    path: '/clients/create',
    valid: { name: 'Acme', taxId: '514000000', type: 'COMPANY' },
    fields: {
      name: required(text(200)),
      taxId: required(text(20)),
      type: required(choice),
      email,
      phoneNumber: text(20),
      paymentTermType: choice,
      paymentTermDays: days,
    },
  },
  {
    name: 'an entity that is to be a client',
    method: 'POST',
    path: '/clients/create',
    valid: { entityId: 1 },
    fields: { entityId: id },
  },
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
      externalId: text(64),
      notes: text(2000),
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
  {
    name: 'a preview as a page',
    method: 'POST',
    path: '/documents/preview/html',
    valid: { type: 'QUOTE', entityId: 1, items: [ITEM] },
    fields: { type: required(documentType), entityId: required(id), 'items[0].quantity': required(quantity) },
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
    fields: { approvalNumber: required(approvalNumber) },
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
    valid: {},
    fields: {
      name: onEdit(text(200)),
      taxId: onEdit(text(20)),
      defaultPaymentTermType: onEdit(choice),
      defaultPaymentTermDays: onEdit(days),
      defaultWithholdingTaxRate: onEdit(percent),
      defaultVatRate: onEdit(percent),
      roundDocumentTotal: onEdit(choice),
    },
  },
  {
    name: 'an endpoint',
    method: 'POST',
    path: '/webhooks',
    valid: { url: 'https://127.0.0.1:9/hook', events: ['*'] },
    fields: {
      url: required(
        kind(
          [
            ...NOT_TEXT,
            ...BAD_TEXT,
            '"nonsense"',
            '"https://"',
            '"http://127.0.0.1/"',
            '"ftp://127.0.0.1/"',
            '"javascript:alert(1)"',
            '"https://user:secret@127.0.0.1/"',
            JSON.stringify(`https://127.0.0.1/${'x'.repeat(2048)}`),
          ],
          false,
        ),
      ),
      events: required(kind(['5', '"document.created"', '{}', '[]', '[5]', '[null]', '[["*"]]'], false)),
      'events[0]': kind(['"nope"', '"toString"', '"document.*"', '""'], false),
    },
  },
];

/** Every wrong value of every field, the missing and null ones of required fields among them. */
export function wrongFields(): WrongField[] {
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

/** The body as JSON with something else in one place of it. */
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
