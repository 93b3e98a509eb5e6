import type { Interval } from '@counterfoil/kernel';
import { DOCUMENT_TYPES } from './document-type';
import { draftDocument } from './draft-document';
import { documentOf, type NewRetainer, RETAINER_DOCUMENT_TYPES, retainerPeriod } from './retainer';

const ITEMS = [
  { description: 'Support', quantity: 2, unitPrice: 100 },
  { description: 'Hosting', quantity: 1, unitPrice: 50, discountPercent: 10, vatRate: 0, productId: 4 },
];
const PERIOD = { from: '2026-02-28', until: '2026-03-30' };
const aRetainer = (changes: Partial<NewRetainer> = {}): NewRetainer => ({
  entityId: 7,
  documentType: 'TAX_INVOICE',
  currency: 'USD',
  items: ITEMS,
  interval: 'MONTHLY',
  nextRunDate: '2026-01-31',
  ...changes,
});
const draftOf = (retainer: NewRetainer, vatRate = 18) =>
  draftDocument(documentOf(retainer, PERIOD, 14), {
    today: '2026-11-21',
    vatRate,
    rounding: 'none',
    paymentTerm: { type: 'DAYS_ONLY', days: 30 },
    booksClosedUntil: null,
  });

describe('the document of a retainer', () => {
  it('has the date of its run, whenever it is issued', () => {
    expect(draftOf(aRetainer())).toMatchObject({
      issueDate: '2026-02-28',
      dueDate: '2026-03-30',
      retainerId: 14,
      ...{ periodFrom: '2026-02-28', periodUntil: '2026-03-30' },
    });
  });

  it('has the terms of the retainer, with defaults at the time of issue', () => {
    const draft = draftOf(aRetainer(), 17);
    expect(draft).toMatchObject({ entityId: 7, type: 'TAX_INVOICE', currency: 'USD' });
    expect(draft).toMatchObject({ amount: 245, tax: 34, totalWithTax: 279 });
    expect(draft.items).toMatchObject([
      { vatRate: 17, discountPercent: 0, productId: null },
      { vatRate: 0, discountPercent: 10, productId: 4 },
    ]);
    expect(draftOf(aRetainer(), 0)).toMatchObject({ tax: 0, totalWithTax: 245 });
  });

  it('settles nothing, and has no externalId', () => {
    const { allocations, linkedDocumentIds, refundOf, externalId, payments } = documentOf(
      aRetainer(),
      PERIOD,
    );
    expect([allocations, linkedDocumentIds, refundOf, externalId]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(payments).toEqual([]);
  });

  it.each(RETAINER_DOCUMENT_TYPES)('may be a %s', (documentType) => {
    expect(draftOf(aRetainer({ documentType }))).toMatchObject({ type: documentType, payments: [] });
  });

  it('cannot be of a type that records received money or returns money', () => {
    const others = DOCUMENT_TYPES.filter((type) => !RETAINER_DOCUMENT_TYPES.some((one) => one === type));
    expect(others.toSorted()).toEqual(['RECEIPT', 'REFUND', 'RETURN']);
  });
});

describe('the period of a retainer', () => {
  const periodsOf = (firstRunDate: string, interval: Interval, count: number) =>
    Array.from({ length: count }, (_, index) => {
      const { from, until } = retainerPeriod({ firstRunDate, interval }, index);
      return `${from} ${until}`;
    });

  it.each<[string, Interval, string[]]>([
    [
      '2027-01-31',
      'MONTHLY',
      ['2027-01-31 2027-02-27', '2027-02-28 2027-03-30', '2027-03-31 2027-04-29', '2027-04-30 2027-05-30'],
    ],
    ['2028-01-31', 'MONTHLY', ['2028-01-31 2028-02-28', '2028-02-29 2028-03-30']],
    ['2028-02-29', 'YEARLY', ['2028-02-29 2029-02-27', '2029-02-28 2030-02-27']],
    ['2026-12-25', 'WEEKLY', ['2026-12-25 2026-12-31', '2027-01-01 2027-01-07']],
  ])('from %s, %s, ends on the day before the next due date', (first, interval, expected) => {
    expect(periodsOf(first, interval, expected.length)).toEqual(expected);
  });
});
