import { confirmFields } from './confirm-fields';

const TEXT = [
  'Corner Stationery Ltd.',
  'VAT No: GB 123 4567 82',
  'Invoice INV-2026/17 of 2 March 26',
  'Net 1.000,00 €',
  'VAT 200,00',
  'Order 4711 of 12 items',
  'Total 1.200,00',
  'To be paid by 5 December 2026',
].join('\n');

const GOOD = {
  vendorName: 'Corner Stationery Ltd',
  vendorTaxId: 'GB123456782',
  documentNumber: 'INV-2026/17',
  date: '2026-03-02',
  currency: 'EUR',
  total: 1200,
  tax: 200,
};

describe('a field reported for a text', () => {
  it('is accepted if the text contains it', () => {
    expect(confirmFields(GOOD, TEXT, '2026-11-22')).toEqual(GOOD);
  });

  it.each([
    ['a name of nobody there', { vendorName: 'Market Street Books' }],
    ['a name of signs alone', { vendorName: '—' }],
    ['part of a word', { vendorName: 'Statio' }],
    ['a word that is too short', { vendorName: 'Co' }],
    ['a number of one digit', { documentNumber: '2' }],
    ['part of a number', { documentNumber: '471' }],
    ['a number without digits', { documentNumber: 'Corner' }],
    ['a tax id that is not there', { vendorTaxId: 'DE136695976' }],
    ['a tax id whose check digit is wrong', { vendorTaxId: 'GB 123 4567' }],
    ['the total without its mark', { total: 120000 }],
    ['the tax without its mark', { tax: 20000 }],
    ['a number with a mark put in', { total: 47.11 }],
    ['a quantity', { total: 12 }],
    ['a date of another month', { date: '2026-07-02' }],
    ['a date that has not come', { date: '2026-12-05' }],
    ['a number for a text', { documentNumber: 17 }],
    ['another day', { date: '2026-03-05' }],
    ['another year', { date: '2025-03-02' }],
    ['no date', { date: '2026-02-30' }],
    ['a date in words', { date: '2 March 26' }],
    ['a currency that is not there', { currency: 'USD' }],
    ['a currency that is none', { currency: 'INV' }],
    ['a total that is not there', { total: 1190 }],
    ['part of an amount', { total: 20 }],
    ['a total of nothing', { total: 0 }],
    ['a negative tax', { tax: -200 }],
    ['an amount as text', { total: '1200' }],
    ['a third of a cent', { total: 1200.003 }],
    ['what is too long', { vendorName: TEXT.repeat(3) }],
    ['an object', { vendorName: { $ne: '' } }],
    ['null', { vendorName: null, total: null, date: null, currency: null }],
  ])('is dropped if it is %s', (_, said) => {
    expect(confirmFields(said, TEXT, '2026-11-22')).toEqual({});
  });

  it.each([[null], ['total'], [[1]], [{ prototype: 1, __proto__: { total: 5 } }], [undefined]])(
    'is ignored if it is %j',
    (said) => {
      expect(confirmFields(said, TEXT, '2026-11-22')).toEqual({});
    },
  );
});
