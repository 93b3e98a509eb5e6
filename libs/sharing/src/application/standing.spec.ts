import { standingOf } from './standing';

const TODAY = '2026-11-27';

describe('the standing of a document', () => {
  it.each([
    ['TAX_INVOICE', 'OPEN', '2026-11-27', { kind: 'DUE', dueDate: '2026-11-27' }],
    ['TAX_INVOICE', 'OPEN', '2026-11-26', { kind: 'OVERDUE', dueDate: '2026-11-26' }],
    ['TAX_INVOICE', 'PARTIALLY_PAID', '2026-11-26', { kind: 'OVERDUE', dueDate: '2026-11-26' }],
    ['PROFORMA', 'OPEN', null, { kind: 'DUE', dueDate: null }],
    ['TAX_INVOICE', 'PAID', '2026-11-26', { kind: 'PAID' }],
    ['TAX_INVOICE', 'CLOSED', '2026-11-26', { kind: 'CLOSED' }],
    ['QUOTE', 'CLOSED', null, { kind: 'CLOSED' }],
    ['TAX_INVOICE_RECEIPT', 'PAID', null, { kind: 'PAID' }],
    ['QUOTE', 'OPEN', '2026-11-26', { kind: 'OPEN' }],
    ['ORDER', 'PARTIALLY_PAID', null, { kind: 'OPEN' }],
    ['RECEIPT', 'OPEN', null, { kind: 'ISSUED' }],
    ['REFUND', 'PAID', null, { kind: 'ISSUED' }],
    ['RECEIPT', 'CANCELLED', null, { kind: 'CANCELLED' }],
  ] as const)('%s that is %s and due %s', (type, status, dueDate, standing) => {
    expect(standingOf({ type, status, dueDate, remainingAmount: 10 }, TODAY)).toEqual(standing);
  });

  it.each([
    ['TAX_INVOICE', { kind: 'SETTLED' }],
    ['PROFORMA', { kind: 'SETTLED' }],
    ['QUOTE', { kind: 'CLOSED' }],
  ] as const)('%s that is closed, of which nothing is due', (type, standing) => {
    const closed = { type, status: 'CLOSED', dueDate: null, remainingAmount: 0 } as const;
    expect(standingOf(closed, TODAY)).toEqual(standing);
  });
});
