import {
  bodyOf,
  draftFrom,
  isComplete,
  isFaulty,
  lacksPayments,
  NEW_DOCUMENT,
  NEW_ITEM,
} from '../src/screens/documents/issue/draft.ts';

const party = { id: 7, name: 'Shop' };
const item = { ...NEW_ITEM, description: ' Consulting ', quantity: '2', unitPrice: '150' };
const draft = { ...NEW_DOCUMENT, party, items: [item] };

it('is complete with a party and lines, or with a payment on a receipt', () => {
  expect(isComplete(NEW_DOCUMENT)).toBe(false);
  expect(isComplete({ ...NEW_DOCUMENT, party })).toBe(false);
  expect(isComplete(draft)).toBe(true);
  expect(isComplete({ ...draft, currency: 'IL' })).toBe(false);
  expect(isComplete({ ...draft, items: [{ ...item, vat: 'x' }] })).toBe(false);
  const receipt = { ...draft, type: 'RECEIPT', items: [] } as const;
  expect(isComplete(receipt)).toBe(false);
  const paid = { ...receipt, payments: [{ method: 'CASH', amount: '10', date: '', note: '' }] } as const;
  expect(isComplete(paid)).toBe(true);
  expect(isComplete({ ...paid, allocations: { 3: '1,5' } })).toBe(false);
  expect(isComplete({ ...paid, allocations: { 3: '' } })).toBe(true);
});

it('sends what was filled in, for the type that was chosen', () => {
  expect(bodyOf(draft)).toEqual({
    ...{ type: 'TAX_INVOICE', entityId: 7, currency: 'ILS' },
    items: [{ description: 'Consulting', quantity: 2, unitPrice: 150 }],
  });
  const receipt = {
    ...{ ...draft, type: 'RECEIPT' as const, allocations: { 3: '50', 4: '0', 5: '' } },
    payments: [{ method: 'CHECK' as const, amount: '50', date: '2026-11-01', note: ' No. 1042 ' }],
  };
  expect(bodyOf(receipt)).toEqual({
    ...{ type: 'RECEIPT', entityId: 7, currency: 'ILS' },
    payments: [{ method: 'CHECK', amount: 50, date: '2026-11-01', note: 'No. 1042' }],
    allocations: [{ documentId: 3, amount: 50 }],
  });
});

it('sends a due date only for types that ask for it', () => {
  const due = { ...draft, dueDate: '2026-12-31' };
  expect(bodyOf(due)).toMatchObject({ dueDate: '2026-12-31' });
  expect(bodyOf({ ...due, type: 'RECEIPT' })).not.toHaveProperty('dueDate');
});

it('reads separators of thousands in every number', () => {
  const many = { ...item, quantity: '1,000', unitPrice: '1,250.5' };
  expect(bodyOf({ ...draft, items: [many] })).toMatchObject({
    items: [{ quantity: 1000, unitPrice: 1250.5 }],
  });
  const payments = [{ method: 'CASH' as const, amount: '1,000', date: '', note: '' }];
  expect(bodyOf({ ...draft, type: 'RECEIPT', payments, allocations: { 3: '1,000' } })).toMatchObject({
    payments: [{ amount: 1000 }],
    allocations: [{ documentId: 3, amount: 1000 }],
  });
  expect(['1,000', '12,345.67', '', 'x', '1,5', '0,125', '-1'].map(isFaulty)).toEqual([
    ...[false, false, false, true, true, true, true],
  ]);
});

it('knows an invoice and receipt whose payments are missing', () => {
  expect(lacksPayments({ ...draft, type: 'TAX_INVOICE_RECEIPT' })).toBe(true);
  expect(lacksPayments(draft)).toBe(false);
});

it('fills in from the document that it credits, pays or replaces', () => {
  const document = {
    ...{ id: 3, entity: { id: 7, visibleId: 'x', name: 'Shop' }, currency: 'USD', remainingAmount: 254 },
    items: [
      ...[
        { description: 'a', quantity: 2, unitPrice: 150, productId: null, discountPercent: 10, vatRate: 17 },
      ],
    ],
  } as never;
  expect(bodyOf(draftFrom(document, 'credit'))).toMatchObject({
    ...{ type: 'REFUND', entityId: 7, currency: 'USD', refundOf: 3 },
    items: [{ description: 'a', quantity: 2, unitPrice: 150, discountPercent: 10, vatRate: 17 }],
  });
  expect(bodyOf(draftFrom(document, 'pay'))).toMatchObject({
    ...{ type: 'RECEIPT', allocations: [{ documentId: 3, amount: 254 }] },
    payments: [{ amount: 254 }],
  });
  expect(bodyOf(draftFrom(document, 'cover'))).toMatchObject({ type: 'TAX_INVOICE', linkedDocumentIds: [3] });
});
