import { DOCUMENT_TYPES } from '@counterfoil/documents';
import { EVENT_CATALOGUE } from '@counterfoil/event-catalogue';
import { plainDateOf } from '@counterfoil/kernel';
import type { EventType } from '@counterfoil/outbox';
import {
  type MailReceiver,
  queueStores,
  startMailReceiver,
  startService,
  type TestService,
  until,
} from '@counterfoil/test-harness';
import { Ajv2020 } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { closed } from './documented-schemas';

type Json = Record<string, unknown>;
type Issued = { readonly id: number; readonly visibleId: string; readonly totalWithTax: number };

/**
 * The service receives all these values, and must never send them to a receiver (contract §15.5). Numbers
 * have four decimals if possible, unlike all amounts of money in events.
 */
const MARK = 'MARKED';
const CARD = '4580458045804580';
const IBAN = 'IL620108000000099999999';
const PHONE = '+972-50-765-4321';
const TAX_ID = '987654324';
const DUE_DATE = '2031-02-03';
const PAID_ON = '2019-04-05';
const [FIRST_PART, SECOND_PART] = [1234.56, 8765.44];
const HIDDEN = [
  ...[MARK, CARD, IBAN, PHONE, TAX_ID, DUE_DATE, PAID_ON],
  ...['CREDIT_CARD', 'BANK_TRANSFER', String(FIRST_PART), String(SECOND_PART)],
  ...['1.6103', '6173.4711', '12.3457', '17.0303', '3.0007', '11.9091', '16.0909'],
];
/** An address that the mail server refuses, with words that name it. */
const UNKNOWN_TO_SERVER = `${MARK}-nobody@example.test`;
/** A text that receivers get, which proves that the search works. */
const TOLD = 'order-of-the-shop';

const DEAR = {
  description: `${MARK} treatment, paid with ${CARD}`,
  quantity: 1.6103,
  unitPrice: 6173.4711,
  discountPercent: 12.3457,
  vatRate: 17.0303,
};
const CHEAP = { description: `${MARK} plaster`, quantity: 3.0007, unitPrice: 11.9091, vatRate: 16.0909 };
/** The service does not know all of these fields yet. */
const payment = (method: string, amount: number) => ({
  ...{ method, amount, date: PAID_ON, reference: `${MARK} reference`, note: CARD },
  ...{ cardNumber: CARD, cvv: `${MARK} 123`, iban: IBAN, bankAccount: `${MARK} account` },
});

let service: TestService;
let mails: MailReceiver;
let entityId: number;
let retainerId: number;
let records: string[];
let bodies: string[];

beforeAll(async () => {
  mails = await startMailReceiver();
  mails.refuseWith((recipient) => (recipient === UNKNOWN_TO_SERVER ? `550 no ${recipient}` : null));
  service = await startService(queueStores()[0]!, { ...mails.settings, ALLOCATION_NUMBERS: 'sandbox' });
  await ok('PUT', '/company', { name: `${MARK} clinic`, taxId: '987654316' });
  const client = await ok('POST', '/clients/create', {
    ...{ name: `${MARK} patient`, taxId: TAX_ID, type: 'COMPANY', phoneNumber: PHONE },
    ...{ email: `${MARK}@example.test`, address: { street: `${MARK} street`, city: `${MARK} city` } },
    ...{ contacts: [{ name: `${MARK} contact`, phoneNumber: PHONE }], bankAccount: IBAN },
  });
  entityId = Number(client['clientId']);
  const known = [await sell(), await pay()].flat();
  records = await Promise.all(
    known.map(async ({ id }) => JSON.stringify(await ok('GET', `/documents/${id}`))),
  );
  bodies = await until('the numbers and the mails of the worker', async () => {
    const rows = await service.database.query<{ body: string }>('select body from outbox_events');
    const assigned = rows.filter(({ body }) => body.includes('"document.approval_number.assigned"'));
    const sent = rows.filter(({ body }) => body.includes('"document.sen'));
    return assigned.length === 3 && sent.length === 4 && rows.map(({ body }) => body);
  });
});
afterAll(async () => {
  await service.stop();
  await mails.close();
});

async function ok(method: string, path: string, body?: unknown): Promise<Json> {
  const answer = await service.request(method, path, body);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

let issuedCount = 0;

function ofAll(more: object): Json {
  issuedCount += 1;
  return {
    ...{
      entityId,
      externalId: `${TOLD}-${issuedCount}`,
      dueDate: DUE_DATE,
      notes: `${MARK} ${IBAN} ${PHONE}`,
    },
    ...{ items: [DEAR, CHEAP], email: `${MARK}@example.test`, contact: { name: MARK } },
    ...more,
  };
}

async function issue(type: string, more: object = {}): Promise<Issued> {
  return (await ok('POST', `/documents/create/${type}`, ofAll(more))) as unknown as Issued;
}

/** Creates documents that are covered, closed, credited and have allocation numbers. */
async function sell(): Promise<Issued[]> {
  const quote = await issue('quote');
  const order = await issue('order', { linkedDocumentIds: [quote.id] });
  const note = await issue('delivery-note');
  await ok('POST', `/documents/close/${note.visibleId}`);
  const dear = await issue('tax-invoice');
  const cheap = await issue('tax-invoice', { items: [CHEAP] });
  await ok('POST', `/documents/approval-number/${cheap.visibleId}`, { approvalNumber: '202611221' });
  const refund = await issue('refund', { refundOf: dear.id });
  const returned = await issue('return', { items: [CHEAP], refundOf: cheap.id });
  await ok('POST', `/documents/cancel/${returned.visibleId}`, { reason: 'entered twice' });
  const to = [`${MARK}@example.test`, UNKNOWN_TO_SERVER];
  await ok('POST', `/documents/id/${dear.id}/send`, { to, subject: MARK, message: `${MARK} ${PHONE}` });
  await retain({ to, subject: MARK, message: `${MARK} ${PHONE}` });
  return [quote, order, note, dear, cheap, refund, returned];
}

/** Creates a retainer whose document is due, and mailed. */
async function retain(send: object): Promise<void> {
  const due = { interval: 'YEARLY', nextRunDate: plainDateOf(new Date()) };
  const body = { entityId, documentType: 'ORDER', items: [CHEAP], ...due, send };
  retainerId = Number((await ok('POST', '/retainers/create', body))['retainerId']);
}

/** Creates receipts and the documents that they pay. */
async function pay(): Promise<Issued[]> {
  const { totalWithTax } = await ok('POST', '/documents/preview', ofAll({ type: 'ORDER' }));
  const rest = Number((Number(totalWithTax) - FIRST_PART).toFixed(2));
  const both = [payment('CREDIT_CARD', FIRST_PART), payment('BANK_TRANSFER', rest)];
  const paid = await issue('tax-invoice-receipt', { payments: both });
  const [proforma, order] = [await issue('proforma'), await issue('order')];
  const receipt = await issue('receipt', {
    items: [],
    payments: [payment('CREDIT_CARD', FIRST_PART), payment('BANK_TRANSFER', SECOND_PART)],
    allocations: [{ documentId: proforma.id, amount: 100 }],
  });
  const allocations = [{ documentId: order.id, amount: 50.5 }];
  await ok('POST', '/documents/allocate', { receiptId: receipt.id, allocations });
  await ok('POST', `/documents/cancel/${receipt.visibleId}`, { reason: 'entered twice' });
  const { url } = await ok('POST', `/documents/id/${proforma.id}/share`, {});
  expect((await fetch(String(url))).status).toBe(200);
  return [paid, proforma, order, receipt];
}

describe('the data about documents in events', () => {
  it('is sent in events of every type, of documents of every type, and for every reason', () => {
    const told = bodies.map((body) => JSON.parse(body) as { type: string; data: Json });
    const types = EVENT_CATALOGUE.types.filter((type) => type.startsWith('document.'));
    expect(new Set(told.map(({ type }) => type))).toEqual(new Set(types));
    const documents = told.map(({ data }) => (data['document'] as Json)['type']);
    expect(new Set(documents)).toEqual(new Set(DOCUMENT_TYPES));
    const reasons = told.flatMap(({ data }) => ('reason' in data ? [data['reason']] : []));
    expect(new Set(reasons)).toEqual(new Set(['ALLOCATION', 'COVERED', 'MANUAL']));
  });

  it('has no line items, contact details, addresses or payment data', async () => {
    const [client] = await service.database.query('select to_jsonb(e) as row from entities e');
    const known = [...records, JSON.stringify(client)].join('\n');
    // The service has stored all of them. Values that it dropped would prove nothing.
    expect(HIDDEN.filter((text) => !known.includes(text))).toEqual([]);
    for (const body of bodies) {
      // A document of a retainer has no external id.
      if (!body.includes(`"retainerId":${retainerId},`)) expect(body).toContain(TOLD);
      expect({ body, found: HIDDEN.filter((text) => body.includes(text)) }).toEqual({ body, found: [] });
    }
  });

  it('matches the catalogue without additional fields', () => {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
    addFormats.default(ajv);
    const schemas = new Map<string, ReturnType<typeof ajv.compile>>();
    for (const body of bodies) {
      const event = JSON.parse(body) as { type: EventType; data: { document: Json } };
      const takes =
        schemas.get(event.type) ?? ajv.compile(closed(EVENT_CATALOGUE.find(event.type).schema) as object);
      schemas.set(event.type, takes);
      expect({ body, taken: takes(event), errors: takes.errors }).toEqual({
        body,
        taken: true,
        errors: null,
      });
      const more = { ...event, data: { ...event.data, document: { ...event.data.document, items: [] } } };
      expect(takes(more)).toBe(false);
    }
  });
});
