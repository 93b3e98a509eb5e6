import {
  DocumentReader,
  DocumentsModule,
  type DocumentType,
  IssueDocument,
  type NewDocument,
  type NewItem,
  PreviewDocument,
  ReadIssuedDocument,
} from '@counterfoil/documents';
import { type CompanySettings, CreateCompany, EditCompany } from '@counterfoil/identity';
import type { Caller } from '@counterfoil/kernel';
import { CreateParty, EditParty, type SentDetails } from '@counterfoil/parties';
import { startTestContext, type TestContext } from '@counterfoil/test-harness';
import { documentToPrint, previewToPrint } from './document-to-print';
import { ENGLISH } from './ports/document-page-labels';
import { totalRows } from './ports/page-parts';
import type { PrintablePage } from './ports/printable-document';

/** The terms and the document. Without a type it is a tax invoice, and an order if there is a vendor. */
interface Given {
  readonly company?: Partial<CompanySettings>;
  readonly client?: SentDetails;
  readonly vendor?: SentDetails;
  readonly type?: DocumentType;
  readonly items?: readonly Partial<NewItem>[];
  readonly issueDate?: string;
  readonly dueDate?: string;
  readonly currency?: string;
  /** The items of an invoice that the document credits. */
  readonly credits?: readonly Partial<NewItem>[];
}

/** Computed by hand. */
interface Expected {
  readonly amount: number;
  readonly tax: number;
  readonly rounding?: number;
  readonly total: number;
  readonly dueDate: string | null;
  readonly withheld?: number;
  /** The total without what is withheld. */
  readonly rest?: number;
}

type Case = readonly [name: string, given: Given, expected: Expected];

const IN_MARCH = '2026-03-10';
/** 30 days later, by the payment term of a new company. */
const DUE = '2026-04-09';
const PLAIN = { amount: 100, tax: 18, total: 118, dueDate: DUE };
/** Of an order. */
const ORDERED = { ...PLAIN, dueDate: null };

const item = (unitPrice: number, more: Partial<NewItem> = {}): Partial<NewItem> => ({ unitPrice, ...more });
const untaxed = (unitPrice: number) => [item(unitPrice, { vatRate: 0 })];

const VAT: readonly Case[] = [
  ['18 %, of a new company', {}, PLAIN],
  ['of the company', { company: { defaultVatRate: 17 } }, { ...PLAIN, tax: 17, total: 117 }],
  [
    'of the client',
    { company: { defaultVatRate: 17 }, client: { specialVat: 7 } },
    { ...PLAIN, tax: 7, total: 107 },
  ],
  ['of 0 % for the client', { client: { specialVat: 0 } }, { ...PLAIN, tax: 0, total: 100 }],
  ['of 100 % for the client', { client: { specialVat: 100 } }, { ...PLAIN, tax: 100, total: 200 }],
  [
    'of the item',
    { client: { specialVat: 7 }, items: [item(100, { vatRate: 5 })] },
    { ...PLAIN, tax: 5, total: 105 },
  ],
  [
    'of 0 % for the item',
    { client: { specialVat: 7 }, items: untaxed(100) },
    { ...PLAIN, tax: 0, total: 100 },
  ],
  [
    'of two rates: 17.00 + 0.36',
    { items: [item(100, { vatRate: 17 }), item(0.335, { quantity: 3 }), item(0.335, { quantity: 3 })] },
    { amount: 102.02, tax: 17.36, total: 119.38, dueDate: DUE },
  ],
  [
    'of half an agora more: 0.045',
    { items: [item(0.25)] },
    { ...PLAIN, amount: 0.25, tax: 0.05, total: 0.3 },
  ],
  ['of half an agora more: 7.345', { client: { specialVat: 7.345 } }, { ...PLAIN, tax: 7.35, total: 107.35 }],
  [
    'once for both lines: 0.09, and not 0.05 twice',
    { items: [item(0.25), item(0.25)] },
    { amount: 0.5, tax: 0.09, total: 0.59, dueDate: DUE },
  ],
];

const LINES: readonly Case[] = [
  [
    'of half an agora more: 0.125',
    { items: untaxed(0.125) },
    { ...PLAIN, amount: 0.13, tax: 0, total: 0.13 },
  ],
  ['of less than half: 0.1249', { items: untaxed(0.1249) }, { ...PLAIN, amount: 0.12, tax: 0, total: 0.12 }],
  [
    'after a discount: 0.2 − 12.5 % = 0.175',
    { items: [item(0.2, { discountPercent: 12.5 })] },
    { amount: 0.18, tax: 0.03, total: 0.21, dueDate: DUE },
  ],
  [
    'after a discount of four decimals: 66.6667',
    { items: [item(100, { discountPercent: 33.3333 })] },
    { amount: 66.67, tax: 12, total: 78.67, dueDate: DUE },
  ],
  [
    'after a discount of 100 %',
    { items: [item(250, { discountPercent: 100 })] },
    { amount: 0, tax: 0, total: 0, dueDate: DUE },
  ],
];

const ROUNDED = { roundDocumentTotal: 'round' } as const;

const ROUNDING: readonly Case[] = [
  [
    'of the company: 107.35',
    { company: ROUNDED, client: { specialVat: 7.35 } },
    { amount: 100, tax: 7.35, rounding: -0.35, total: 107, dueDate: DUE },
  ],
  [
    'none for the client',
    { company: ROUNDED, client: { specialVat: 7.35, roundDocumentTotal: 'none' } },
    { amount: 100, tax: 7.35, total: 107.35, dueDate: DUE },
  ],
  [
    'for the client alone, up from a half: 107.50',
    { client: { ...ROUNDED, specialVat: 7.5 } },
    { amount: 100, tax: 7.5, rounding: 0.5, total: 108, dueDate: DUE },
  ],
  [
    'up from a half that VAT makes: 100.42 + 18.08',
    { company: ROUNDED, items: [item(100.42)] },
    { amount: 100.42, tax: 18.08, rounding: 0.5, total: 119, dueDate: DUE },
  ],
  [
    'down from less: 100.41 + 18.07',
    { company: ROUNDED, items: [item(100.41)] },
    { amount: 100.41, tax: 18.07, rounding: -0.48, total: 118, dueDate: DUE },
  ],
  [
    'up from 0.50',
    { company: ROUNDED, items: untaxed(0.5) },
    { amount: 0.5, tax: 0, rounding: 0.5, total: 1, dueDate: DUE },
  ],
  [
    'never to 0',
    { company: ROUNDED, items: untaxed(0.49) },
    { amount: 0.49, tax: 0, total: 0.49, dueDate: DUE },
  ],
];

const BY_MONTH = { defaultPaymentTermType: 'CURRENT_PLUS_DAYS', defaultPaymentTermDays: 45 } as const;

const DUE_DATES: readonly Case[] = [
  ['45 days from the end of March', { company: BY_MONTH }, { ...PLAIN, dueDate: '2026-05-15' }],
  [
    'on the day, by the term of the client',
    { company: BY_MONTH, client: { paymentTermType: 'DAYS_ONLY', paymentTermDays: 0 } },
    { ...PLAIN, dueDate: IN_MARCH },
  ],
  [
    'by the days of the client and the type of the company',
    { company: BY_MONTH, client: { paymentTermDays: 1 } },
    { ...PLAIN, dueDate: '2026-04-01' },
  ],
  [
    '30 days from the end of March, whatever the day',
    {
      client: { paymentTermType: 'CURRENT_PLUS_DAYS', paymentTermDays: 30 },
      issueDate: '2026-03-27',
    },
    { ...PLAIN, dueDate: '2026-04-30' },
  ],
  [
    'at the end of February',
    { client: { paymentTermType: 'CURRENT_PLUS_DAYS', paymentTermDays: 0 }, issueDate: '2026-02-10' },
    { ...PLAIN, dueDate: '2026-02-28' },
  ],
  [
    'a year later',
    { client: { paymentTermType: 'DAYS_ONLY', paymentTermDays: 365 } },
    { ...PLAIN, dueDate: '2027-03-10' },
  ],
  ['as it was sent', { dueDate: '2026-03-31' }, { ...PLAIN, dueDate: '2026-03-31' }],
  ['by the term, of a proforma', { type: 'PROFORMA' }, PLAIN],
  ['never, of a quote', { type: 'QUOTE' }, ORDERED],
];

const CREDIT_NOTES: readonly Case[] = [
  [
    'with the VAT of the invoice',
    { type: 'REFUND', credits: [item(100, { vatRate: 7 })] },
    { amount: 100, tax: 7, total: 107, dueDate: null },
  ],
  [
    'with the VAT of the client, of an invoice with two rates',
    {
      ...{ type: 'RETURN', client: { specialVat: 9 } },
      credits: [item(60, { vatRate: 17 }), item(60, { vatRate: 18 })],
    },
    { amount: 100, tax: 9, total: 109, dueDate: null },
  ],
  [
    'with the rounding of the invoice, all of which it credits',
    { type: 'REFUND', client: ROUNDED, credits: untaxed(100.4), items: untaxed(100.4) },
    { amount: 100.4, tax: 0, rounding: -0.4, total: 100, dueDate: null },
  ],
  [
    'without rounding, of a part',
    { type: 'REFUND', client: ROUNDED, credits: untaxed(100.4), items: untaxed(50.2) },
    { amount: 50.2, tax: 0, total: 50.2, dueDate: null },
  ],
  [
    'with the terms of the client, of no invoice: 100.4 + 18.07',
    { type: 'REFUND', client: ROUNDED, items: [item(100.4)] },
    { amount: 100.4, tax: 18.07, rounding: -0.47, total: 118, dueDate: null },
  ],
];

const DEFAULT = { defaultWithholdingTaxRate: 30 };
const FIVE = { withholdingTaxRate: 5 };
const CERTIFIED = { ...FIVE, withholdingValidFrom: '2026-01-01', withholdingValidUntil: '2026-12-31' };
const OF_NET = { withholdingBase: 'without_vat' } as const;

const WITHHOLDING: readonly Case[] = [
  ['of 5 %, from the total', { vendor: FIVE }, { ...ORDERED, withheld: 5.9, rest: 112.1 }],
  [
    'of 5 %, from the total that is named',
    { vendor: { ...FIVE, withholdingBase: 'with_vat' } },
    { ...ORDERED, withheld: 5.9, rest: 112.1 },
  ],
  [
    'of 5 %, from the amount before VAT',
    { vendor: { ...FIVE, ...OF_NET } },
    { ...ORDERED, withheld: 5, rest: 113 },
  ],
  ['of the company', { company: DEFAULT, vendor: {} }, { ...ORDERED, withheld: 35.4, rest: 82.6 }],
  [
    'of the company, from the base of the vendor',
    { company: DEFAULT, vendor: OF_NET },
    { ...ORDERED, withheld: 30, rest: 88 },
  ],
  [
    'of the vendor, and not of the company',
    { company: DEFAULT, vendor: FIVE },
    { ...ORDERED, withheld: 5.9, rest: 112.1 },
  ],
  ['none at 0 % of the vendor', { company: DEFAULT, vendor: { withholdingTaxRate: 0 } }, ORDERED],
  ['none without a rate', { vendor: {} }, ORDERED],
  ['of 100 %', { vendor: { withholdingTaxRate: 100 } }, { ...ORDERED, withheld: 118, rest: 0 }],
  [
    'on the first day of the certificate',
    { company: DEFAULT, vendor: CERTIFIED, issueDate: '2026-01-01' },
    { ...ORDERED, withheld: 5.9, rest: 112.1 },
  ],
  [
    'before the certificate',
    { company: DEFAULT, vendor: CERTIFIED, issueDate: '2025-12-31' },
    { ...ORDERED, withheld: 35.4, rest: 82.6 },
  ],
  [
    'on the last day of the certificate',
    { company: DEFAULT, vendor: { ...CERTIFIED, withholdingValidUntil: IN_MARCH } },
    { ...ORDERED, withheld: 5.9, rest: 112.1 },
  ],
  [
    'after the certificate',
    { company: DEFAULT, vendor: { ...CERTIFIED, withholdingValidUntil: '2026-03-09' } },
    { ...ORDERED, withheld: 35.4, rest: 82.6 },
  ],
  [
    'still that of the vendor after the certificate, if the company has no rate',
    { vendor: { ...CERTIFIED, withholdingValidUntil: '2026-03-09' } },
    { ...ORDERED, withheld: 5.9, rest: 112.1 },
  ],
  [
    'none after a certificate of 0 % has begun',
    { company: DEFAULT, vendor: { withholdingTaxRate: 0, withholdingValidFrom: IN_MARCH } },
    ORDERED,
  ],
  [
    'of half an agora more: 5 % of 0.50 is 0.025',
    { vendor: FIVE, items: untaxed(0.5) },
    { amount: 0.5, tax: 0, total: 0.5, dueDate: null, withheld: 0.03, rest: 0.47 },
  ],
  [
    'of half an agora more: 5 % of 0.10 is 0.005',
    { vendor: { ...FIVE, ...OF_NET }, items: [item(0.1)] },
    { amount: 0.1, tax: 0.02, total: 0.12, dueDate: null, withheld: 0.01, rest: 0.11 },
  ],
  [
    'from the rounded total: 2.5 % of 119 is 2.975',
    { company: ROUNDED, vendor: { withholdingTaxRate: 2.5 }, items: [item(100.42)] },
    { amount: 100.42, tax: 18.08, rounding: 0.5, total: 119, dueDate: null, withheld: 2.98, rest: 116.02 },
  ],
  [
    'from the amount before VAT, whatever the rounding: 2.5105',
    { company: ROUNDED, vendor: { ...OF_NET, withholdingTaxRate: 2.5 }, items: [item(100.42)] },
    { amount: 100.42, tax: 18.08, rounding: 0.5, total: 119, dueDate: null, withheld: 2.51, rest: 116.49 },
  ],
  [
    'without VAT for the vendor',
    { vendor: { ...FIVE, specialVat: 0 } },
    { amount: 100, tax: 0, total: 100, dueDate: null, withheld: 5, rest: 95 },
  ],
  [
    'with a discount and two rates: 4 % of 118.19 is 4.7276',
    {
      vendor: { withholdingTaxRate: 4 },
      items: [item(200, { discountPercent: 50, vatRate: 17 }), item(0.335, { quantity: 3 })],
    },
    { amount: 101.01, tax: 17.18, total: 118.19, dueDate: null, withheld: 4.73, rest: 113.46 },
  ],
  [
    'of the largest price',
    { vendor: FIVE, items: [item(9_999_999_999.99, { quantity: 100, vatRate: 0 })] },
    {
      ...{ amount: 999_999_999_999, tax: 0, total: 999_999_999_999, dueDate: null },
      ...{ withheld: 49_999_999_999.95, rest: 949_999_999_999.05 },
    },
  ],
  ['in another currency', { vendor: FIVE, currency: 'USD' }, { ...ORDERED, withheld: 5.9, rest: 112.1 }],
  [
    'to a vendor that is a client as well',
    { vendor: FIVE, client: {} },
    { ...ORDERED, withheld: 5.9, rest: 112.1 },
  ],
  ['none to a client', { type: 'ORDER', company: DEFAULT }, ORDERED],
  ['none from an invoice to a vendor', { type: 'TAX_INVOICE', vendor: FIVE }, PLAIN],
  ['none from a proforma to a vendor', { type: 'PROFORMA', vendor: FIVE }, PLAIN],
  ['none from a delivery note to a vendor', { type: 'DELIVERY_NOTE', vendor: FIVE }, ORDERED],
];

describe('the money of documents (docs/money.md)', () => {
  let context: TestContext;
  let caller: Caller;

  beforeAll(async () => {
    context = await startTestContext([DocumentsModule]);
  });
  afterAll(() => context.close());
  beforeEach(async () => {
    const { companyId, userId } = await context.get(CreateCompany).execute('Acme', 'Owner');
    caller = { companyId, userId, apiKeyId: 0, role: 'owner' };
  });

  async function givenParty({ client, vendor }: Given) {
    const details = { ...client, ...vendor, name: 'Party', taxId: '514000000', type: 'COMPANY' } as const;
    const parties = context.get(CreateParty);
    const ids = await parties.execute(caller, vendor ? 'vendor' : 'client', { details, contact: null });
    if (vendor && client) await parties.execute(caller, 'client', { entityId: ids.id });
    return ids;
  }

  const issue = async (asked: NewDocument) =>
    (await context.get(IssueDocument).execute(caller, asked)).document;

  /** The document that a case asks for, after all that it needs. */
  async function prepare(given: Given, entityId: number): Promise<NewDocument> {
    const { type = given.vendor ? 'ORDER' : 'TAX_INVOICE', issueDate = IN_MARCH, dueDate, currency } = given;
    const asked = { entityId, issueDate, currency, payments: [] };
    const items = (sent: Given['items'] = [item(100)]) => sent.map(complete);
    const credited =
      given.credits && (await issue({ ...asked, type: 'TAX_INVOICE', items: items(given.credits) }));
    return { ...asked, type, dueDate, items: items(given.items), refundOf: credited?.id ?? null };
  }

  const printed = async (id: number): Promise<PrintablePage> => {
    const content = await context.get(ReadIssuedDocument).execute(caller.companyId, { id });
    if (!content) throw new Error('it was issued');
    return documentToPrint(content, { stamp: 'original', language: 'en' }, null);
  };

  const check = async ([, given, expected]: Case) => {
    await context.get(EditCompany).execute(caller, given.company ?? {});
    const asked = await prepare(given, (await givenParty(given)).id);
    const { amount, tax, total: totalWithTax, dueDate } = expected;
    const money = { amount, tax, totalWithTax, dueDate };

    const preview = await context.get(PreviewDocument).execute(caller, asked);
    expect(preview.draft).toMatchObject(money);
    const document = await issue(asked);
    expect(document).toMatchObject(money);
    const record = await context.get(DocumentReader).find(caller.companyId, { id: document.id });
    expect(record).toMatchObject(money);
    expect(record?.withholding).toEqual(preview.withholding);
    for (const page of [previewToPrint(preview, null), await printed(document.id)]) {
      expect(page.dueDate).toBe(dueDate);
      expect(totalRows(page, ENGLISH).map((row) => row.amount)).toEqual(rowsOf(expected));
    }
  };

  describe.each([
    ['VAT', VAT],
    ['a line', LINES],
    ['rounding', ROUNDING],
    ['due', DUE_DATES],
    ['a credit note', CREDIT_NOTES],
    ['withholding', WITHHOLDING],
  ])('%s', (_, cases) => {
    it.each(cases)('%s', (...row) => check(row));
  });

  it('keep the withholding of the day on which they are issued', async () => {
    const given = { vendor: { ...FIVE, ...OF_NET } };
    const { id: entityId, visibleId } = await givenParty(given);
    const { id } = await issue(await prepare(given, entityId));
    const before = await printed(id);
    const changes = { withholdingTaxRate: 20, withholdingBase: 'with_vat' } as const;
    await context.get(EditParty).execute(caller, { visibleId, role: 'vendor' }, changes);
    expect(await printed(id)).toEqual(before);
    expect(before.withheld).toEqual({ rate: 5, base: 'without_vat', amount: 5 });
  });
});

function complete({ unitPrice = 100, quantity = 1, ...more }: Partial<NewItem>): NewItem {
  return { description: 'x', quantity, unitPrice, ...more };
}

/** The amounts of the printed totals. */
function rowsOf({ amount, tax, rounding = 0, total, withheld, rest }: Expected): (number | undefined)[] {
  const roundingRow = rounding === 0 ? [] : [rounding];
  return [amount, tax, ...roundingRow, total, ...(withheld === undefined ? [] : [withheld, rest])];
}
