import { eventSummary } from './event-summary';

describe('the summary of an event', () => {
  it.each([
    [
      { document: { type: 'TAX_INVOICE', number: 1, totalWithTax: 354, currency: 'ILS' } },
      'TAX_INVOICE 1 354 ILS',
    ],
    [
      { document: { type: 'QUOTE', number: null, totalWithTax: 5, currency: 'ILS' }, test: true },
      'test: QUOTE 5 ILS',
    ],
    [{ charge: { id: 1, amount: 350, currency: 'ILS', status: 'SUCCEEDED' } }, 'charge 1 350 ILS SUCCEEDED'],
    [{ charge: { id: 1 }, refund: { amount: 18, currency: 'ILS' } }, '18 ILS of charge 1'],
    [{ inventory: { id: 1, availableQuantity: 9 } }, 'record 1 available 9'],
    [{}, ''],
  ])('of %j is %p', (data, summary) => {
    expect(eventSummary(data)).toBe(summary);
  });
});
