import { runningSums, shownMoney, shownPercent, shownPrice, shownQuantity } from './figures';

describe('figures of a document', () => {
  it.each([
    [0, '0.00'],
    [-0, '0.00'],
    [1_234.5, '1,234.50'],
    [-0.5, '-0.50'],
    [999_999_999_999.99, '999,999,999,999.99'],
    [-999_999_999_999.99, '-999,999,999,999.99'],
  ])('shows the money %d as %s', (value, text) => {
    expect(shownMoney(value)).toBe(text);
  });

  it('shows all decimals of prices, quantities and percents', () => {
    expect([0.0125, 80, 9_999_999_999.9999].map(shownPrice)).toEqual([
      '0.0125',
      '80.00',
      '9,999,999,999.9999',
    ]);
    expect([1.5, -3, 0.0001].map(shownQuantity)).toEqual(['1.5', '-3', '0.0001']);
    expect([18, 99.9999, 0].map(shownPercent)).toEqual(['18%', '99.9999%', '0%']);
  });

  it('adds amounts up without errors of binary fractions', () => {
    expect(runningSums([0.1, 0.2, -0.3, 999_999_999_999.99])).toEqual([0.1, 0.3, 0, 999_999_999_999.99]);
    expect(runningSums([])).toEqual([]);
  });
});
