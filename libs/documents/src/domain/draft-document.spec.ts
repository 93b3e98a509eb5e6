import { AppError } from '@counterfoil/kernel';
import { type DocumentTerms, draftDocument, linksOf, type NewDocument } from './draft-document';

const DEFAULTS: DocumentTerms = {
  today: '2026-11-21',
  vatRate: 18,
  rounding: 'none',
  paymentTerm: { type: 'DAYS_ONLY', days: 30 },
  booksClosedUntil: null,
};

const asked = (changes: Partial<NewDocument> = {}): NewDocument => ({
  type: 'TAX_INVOICE',
  entityId: 7,
  items: [{ description: 'Consulting', quantity: 2, unitPrice: 100 }],
  payments: [],
  ...changes,
});

function problemsOf(
  changes: Partial<NewDocument>,
  terms: Partial<DocumentTerms> = {},
): Record<string, string> {
  try {
    draftDocument(asked(changes), { ...DEFAULTS, ...terms });
    return {};
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'VALIDATION_FAILED') throw error;
    return Object.fromEntries((error.details ?? []).map(({ field, problem }) => [field, problem]));
  }
}

describe('drafting a document (contract §8.2)', () => {
  it('fills in defaults', () => {
    expect(draftDocument(asked(), DEFAULTS)).toMatchObject({
      issueDate: '2026-11-21',
      dueDate: '2026-12-21',
      currency: 'ILS',
      externalId: null,
      notes: null,
      items: [{ discountPercent: 0, vatRate: 18, productId: null, lineTotal: 200 }],
      amount: 200,
      tax: 36,
      totalWithTax: 236,
    });
  });

  it.each([
    ['TAX_INVOICE', 'OPEN', 236, 0],
    ['PROFORMA', 'OPEN', 236, 0],
    ['REFUND', 'OPEN', 236, 0],
    ['TAX_INVOICE_RECEIPT', 'PAID', 0, 236],
  ] as const)('leaves a %s %s', (type, status, remainingAmount, coveredAmount) => {
    expect(draftDocument(asked({ type }), DEFAULTS)).toMatchObject({
      status,
      remainingAmount,
      coveredAmount,
    });
  });

  it('leaves nothing to settle for a total of 0', () => {
    const items = [{ description: 'Gift', quantity: 1, unitPrice: 0 }];
    expect(draftDocument(asked({ items }), DEFAULTS)).toMatchObject({ status: 'PAID', remainingAmount: 0 });
  });

  it('takes the total of a receipt without items from its payments, without VAT', () => {
    const payments = [
      { method: 'CASH' as const, amount: 0.1 },
      { method: 'CHECK' as const, amount: 0.2, date: '2026-12-01' },
    ];
    expect(draftDocument(asked({ type: 'RECEIPT', items: [], payments }), DEFAULTS)).toMatchObject({
      amount: 0.3,
      tax: 0,
      totalWithTax: 0.3,
      payments: [{ date: '2026-11-21' }, { date: '2026-12-01' }],
    });
  });

  it.each<[string, Partial<NewDocument>, string]>([
    ['no items', { items: [] }, 'items'],
    ['a due date before the issue date', { issueDate: '2026-11-21', dueDate: '2026-11-20' }, 'dueDate'],
    ['a due date before today, when no issue date is given', { dueDate: '2026-11-20' }, 'dueDate'],
    ['payments on an invoice', { payments: [{ method: 'CASH', amount: 236 }] }, 'payments'],
    ['a receipt without payments', { type: 'RECEIPT', items: [] }, 'payments'],
    [
      'an invoice-receipt whose payments miss the total',
      { type: 'TAX_INVOICE_RECEIPT', payments: [{ method: 'CASH', amount: 235.99 }] },
      'payments',
    ],
    [
      'a total too large to keep exact',
      { items: [{ description: 'x', quantity: 9_999_999, unitPrice: 9_999_999 }] },
      'items',
    ],
  ])('refuses %s', (_, changes, field) => {
    expect(Object.keys(problemsOf(changes))).toEqual([field]);
  });

  it('names the payments, and not missing items, of a receipt that is too large', () => {
    const payments = Array.from({ length: 2 }, () => ({ method: 'CASH' as const, amount: 999_999_999_999 }));
    expect(Object.keys(problemsOf({ type: 'RECEIPT', items: [], payments }))).toEqual(['payments']);
  });

  it.each<[string, Partial<NewDocument>, string | null]>([
    ['allocations by an invoice', { allocations: [{ documentId: 1, amount: 1 }] }, 'allocations'],
    ['no allocations by an invoice', { allocations: [] }, null],
    ['what an invoice covers', { linkedDocumentIds: [1] }, null],
    ['what a credit note covers', { type: 'REFUND', linkedDocumentIds: [1] }, 'linkedDocumentIds'],
    ['what a return covers', { type: 'RETURN', linkedDocumentIds: [1] }, 'linkedDocumentIds'],
    ['what a return credits', { type: 'RETURN', refundOf: 1 }, null],
    ['a credit note against nothing', { type: 'REFUND' }, null],
    ['what an invoice credits', { refundOf: 1 }, 'refundOf'],
    ['what an invoice credits, null', { refundOf: null }, null],
  ])('has a rule on %s', (_, changes, field) => {
    expect(Object.keys(problemsOf(changes))).toEqual(field === null ? [] : [field]);
  });

  it.each([
    ['TAX_INVOICE', 'PAID'],
    ['REFUND', 'PAID'],
    ['TAX_INVOICE_RECEIPT', 'PAID'],
    ['QUOTE', 'OPEN'],
    ['ORDER', 'OPEN'],
    ['DELIVERY_NOTE', 'OPEN'],
    ['PROFORMA', 'OPEN'],
  ] as const)('with a total of 0, a %s is %s: settled, unless it may be replaced', (type, status) => {
    const items = [{ description: 'Gift', quantity: 1, unitPrice: 0 }];
    const amounts = { remainingAmount: 0, coveredAmount: 0 };
    expect(draftDocument(asked({ type, items }), DEFAULTS)).toMatchObject({ status, ...amounts });
  });

  it('requests the named settlements, or none', () => {
    expect(linksOf(asked())).toEqual({ allocations: [], linkedDocumentIds: [], refundOf: null });
    const links = { allocations: [{ documentId: 1, amount: 1 }], linkedDocumentIds: [2], refundOf: 3 };
    expect(linksOf(asked(links))).toEqual(links);
    expect(draftDocument(asked({ type: 'REFUND', refundOf: 3 }), DEFAULTS).refundOf).toBe(3);
  });

  it('names every broken rule at once', () => {
    expect(Object.keys(problemsOf({ items: [], dueDate: '2020-01-01' }))).toEqual(['items', 'dueDate']);
  });
});

describe('terms of the client and the company (docs/documents.md)', () => {
  const drafted = (changes: Partial<NewDocument>, terms: Partial<DocumentTerms>) =>
    draftDocument(asked(changes), { ...DEFAULTS, ...terms });

  it('set the VAT of items without their own', () => {
    const item = { description: 'x', quantity: 1, unitPrice: 100 };
    const items = [item, { ...item, vatRate: 0 }];
    expect(drafted({ items }, { vatRate: 7 })).toMatchObject({
      items: [{ vatRate: 7 }, { vatRate: 0 }],
      tax: 7,
      totalWithTax: 207,
    });
  });

  it.each<[string, number, number, [amount: number, tax: number, totalWithTax: number]]>([
    ['down', 100.3, 18, [100.3, 18.05, 118]],
    ['up', 100.5, 18, [100.5, 18.09, 119]],
    ['half up', 100.5, 0, [100.5, 0, 101]],
    ['to one, and never to nothing', 0.5, 0, [0.5, 0, 1]],
    ['not at all, where it would be nothing', 0.4, 0, [0.4, 0, 0.4]],
    ['not at all, where it is whole', 100, 18, [100, 18, 118]],
  ])('round the total %s, but neither amount nor tax', (_, unitPrice, vatRate, figures) => {
    const items = [{ description: 'x', quantity: 1, unitPrice, vatRate }];
    const { amount, tax, totalWithTax, remainingAmount } = drafted({ items }, { rounding: 'round' });
    expect([amount, tax, totalWithTax]).toEqual(figures);
    expect(remainingAmount).toBe(totalWithTax);
  });

  it('require payments to equal the rounded total', () => {
    const items = [{ description: 'x', quantity: 1, unitPrice: 100.3 }];
    const paid = (amount: number) => ({
      type: 'TAX_INVOICE_RECEIPT' as const,
      items,
      payments: [{ method: 'CASH' as const, amount }],
    });
    expect(problemsOf(paid(118), { rounding: 'round' })).toEqual({});
    expect(problemsOf(paid(118.35), { rounding: 'round' })).toEqual({
      payments: 'must add up to the total, 118',
    });
  });

  it('do not round received amounts', () => {
    const payments = [{ method: 'CASH' as const, amount: 10.4 }];
    const receipt = drafted({ type: 'RECEIPT', items: [], payments }, { rounding: 'round' });
    expect(receipt.totalWithTax).toBe(10.4);
  });

  it.each<[NewDocument['type'], string | null]>([
    ['TAX_INVOICE', '2026-12-31'],
    ['PROFORMA', '2026-12-31'],
    ['TAX_INVOICE_RECEIPT', null],
    ['REFUND', null],
    ['RETURN', null],
    ['QUOTE', null],
    ['ORDER', null],
    ['DELIVERY_NOTE', null],
  ])('determine the due date of a %s', (type, dueDate) => {
    const paymentTerm = { type: 'CURRENT_PLUS_DAYS', days: 31 } as const;
    expect(drafted({ type }, { paymentTerm }).dueDate).toBe(dueDate);
  });

  it('give precedence to the due date of the request', () => {
    expect(drafted({ dueDate: '2026-11-22' }, {}).dueDate).toBe('2026-11-22');
  });

  it.each<[string, Partial<NewDocument>, Partial<DocumentTerms>, boolean]>([
    ['31 days ahead', { issueDate: '2026-12-22' }, {}, true],
    ['32 days ahead', { issueDate: '2026-12-23' }, {}, false],
    [
      'on the day until which the books are closed',
      { issueDate: '2026-06-01' },
      { booksClosedUntil: '2026-06-01' },
      true,
    ],
    ['the day before', { issueDate: '2026-05-31' }, { booksClosedUntil: '2026-06-01' }, false],
    ['today, with books closed until tomorrow', {}, { booksClosedUntil: '2026-11-22' }, false],
    ['ten years ago, with open books', { issueDate: '2016-11-21' }, {}, true],
  ])('limit the date: %s', (_, changes, terms, isTaken) => {
    expect(Object.keys(problemsOf(changes, terms))).toEqual(isTaken ? [] : ['issueDate']);
  });
});
