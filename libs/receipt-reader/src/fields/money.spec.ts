import type { ReadingSource } from '../reading';
import { plainTextPage } from '../text/plain-text-page';
import { findAmounts } from './money';
import { toSheet } from './sheet';

const amounts = (text: string, source: ReadingSource = 'text') =>
  findAmounts(toSheet([plainTextPage(text)], source, '2026-01-01'));

describe('the amounts of a sheet', () => {
  it.each([
    ['Total assets                      4,200.00', 'other'],
    ['Total contract value            $12,000.00', 'other'],
    ['The total liability of either party shall not exceed £50,000.00', 'other'],
    ['Total spent this month               88.20', 'other'],
    ['Total (dine-in, table four)          88.20', 'total'],
    ['Total EUR                            88.20', 'total'],
    ['Total in US Dollars                  88.20', 'total'],
    ['Total                                88.20', 'total'],
    ['Amount due 30 June 2025             $88.20', 'due'],
  ])('%s', (text, role) => {
    expect(amounts(text).at(-1)?.role).toBe(role);
  });

  it('can have a misread word for a total before them', () => {
    expect(amounts('TOTAL SALFES INGLUS      88.20', 'ocr')[0]).toMatchObject({ role: 'total', apart: true });
  });

  it('are not hours or days', () => {
    expect(amounts('Total time        1.25 hours')).toEqual([]);
  });

  it('are not thousandths', () => {
    expect(amounts('Paper      7.250\nPens       5.250\nTotal KWD 12.500')).toEqual([]);
  });

  it.each([
    ['a payment alone stands beside it', 'Fee paid: EUR 11.50\nincl. VAT 23%: EUR 2.15', 215, 'tax'],
    ['the rate makes it a part of what was paid', 'Ticket   4.60\nCash  5.00\nincl VAT 9%   0.38', 38, 'tax'],
    ['nothing bought is larger', 'Tea   3.40\nIncl. VAT   3.40\nCash   20.00', 340, 'gross'],
  ])('"incl. VAT" gets its role where %s', (_why, text, cents, role) => {
    expect(amounts(text).findLast((amount) => amount.cents === cents)?.role).toBe(role);
  });
});
