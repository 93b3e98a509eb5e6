import { isSafePage, wayToPay } from './way-to-pay';

const URL = 'https://pay.example/1';
const INVOICE = { type: 'TAX_INVOICE', status: 'OPEN', remainingAmount: 118, currency: 'ILS' } as const;
const PAGE = { status: 'OPEN', amount: 118, currency: 'ILS' } as const;
const ASKED = { amount: 118, currency: 'ILS' };

describe('the way to pay', () => {
  it.each(['TAX_INVOICE', 'PROFORMA', 'ORDER', 'DELIVERY_NOTE'] as const)('%s leads to the page', (type) => {
    const way = { kind: 'PAYABLE', ...ASKED, url: URL };
    expect(wayToPay({ ...INVOICE, type }, PAGE, URL)).toEqual(way);
    expect(wayToPay({ ...INVOICE, type, status: 'PARTIALLY_PAID' }, PAGE, URL)).toEqual(way);
  });

  it.each(['PENDING', 'PAID'] as const)('says that the page is %s, without its address', (status) => {
    expect(wayToPay(INVOICE, { ...PAGE, status }, URL)).toEqual({ kind: status, ...ASKED });
    expect(wayToPay(INVOICE, { ...PAGE, status }, null)).toEqual({ kind: status, ...ASKED });
  });

  it.each([
    ['is paid', { ...INVOICE, status: 'PAID', remainingAmount: 0 }, PAGE],
    ['is closed by hand', { ...INVOICE, status: 'CLOSED' }, PAGE],
    ['is cancelled', { ...INVOICE, type: 'RECEIPT', status: 'CANCELLED' }, PAGE],
    ['is a receipt', { ...INVOICE, type: 'RECEIPT' }, PAGE],
    ['is a quote', { ...INVOICE, type: 'QUOTE' }, PAGE],
    ['has nothing left to pay', { ...INVOICE, remainingAmount: 0 }, PAGE],
    ['has less left than the page takes', { ...INVOICE, remainingAmount: 117.99 }, PAGE],
    ['is in another currency', { ...INVOICE, currency: 'USD' }, PAGE],
    ['is paid, and so is the page', { ...INVOICE, status: 'PAID' }, { ...PAGE, status: 'PAID' }],
  ] as const)('is none if the document %s', (_, document, page) => {
    expect(wayToPay(document, page, URL)).toBeNull();
  });

  it('is none without a provider', () => {
    expect(wayToPay(INVOICE, PAGE, null)).toBeNull();
  });

  it.each([
    ['https://pay.example/x', true],
    ['http://127.0.0.1:3000/gateway/sandbox/pages/x', true],
    ['http://127.0.0.1:30000/x', false],
    ['http://pay.example/x', false],
    ['javascript:alert(1)', false],
  ])('%s may be opened: %s', (url, isSafe) => {
    expect(isSafePage(url, 'http://127.0.0.1:3000')).toBe(isSafe);
  });
});
