import { DOCUMENT_TYPES } from './document-type';
import { draftDocument } from './draft-document';
import { documentOf, type NewRetainer, RETAINER_DOCUMENT_TYPES } from './retainer';

const ITEMS = [
  { description: 'Support', quantity: 2, unitPrice: 100 },
  { description: 'Hosting', quantity: 1, unitPrice: 50, discountPercent: 10, vatRate: 0, productId: 4 },
];
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
  draftDocument(documentOf(retainer, '2026-02-28', 14), {
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
      '2026-02-28',
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
