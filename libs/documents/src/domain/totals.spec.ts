import fc from 'fast-check';
import { type Line, roundingOf, totalsOf } from './totals';

const line = (quantity: number, unitPrice: number, rest: Partial<Line> = {}): Line => ({
  quantity,
  unitPrice,
  discountPercent: 0,
  vatRate: 18,
  ...rest,
});

describe('totals', () => {
  it.each<[string, Line[], [amount: number, tax: number, totalWithTax: number]]>([
    ['nothing', [], [0, 0, 0]],
    ['one line', [line(2, 150.5)], [301, 54.18, 355.18]],
    ['0.1 and 0.2 without drift', [line(1, 0.1), line(1, 0.2)], [0.3, 0.05, 0.35]],
    ['a line that rounds half up', [line(1, 0.125, { vatRate: 0 })], [0.13, 0, 0.13]],
    ['a discount', [line(3, 33.33, { discountPercent: 33.3333 })], [66.66, 12, 78.66]],
    ['a discount of everything', [line(3, 33.33, { discountPercent: 100 })], [0, 0, 0]],
    [
      'VAT once for each rate, on the sum of its lines',
      [line(1, 0.03), line(1, 0.03), line(1, 0.03)],
      [0.09, 0.02, 0.11],
    ],
    [
      'several rates',
      [line(1, 100), line(1, 100, { vatRate: 0 }), line(1, 100, { vatRate: 17 })],
      [300, 35, 335],
    ],
    ['quantities of four decimals', [line(0.0001, 9999.9999)], [1, 0.18, 1.18]],
  ])('of %s', (_, lines, expected) => {
    const { amount, tax, totalWithTax } = totalsOf(lines, 'none');
    expect([amount, tax, totalWithTax]).toEqual(expected);
  });

  it('adds a thousand lines of one agora', () => {
    const { amount, lineTotals } = totalsOf(
      Array.from({ length: 1000 }, () => line(1, 0.01, { vatRate: 0 })),
      'none',
    );
    expect(amount).toBe(10);
    expect(new Set(lineTotals)).toEqual(new Set([0.01]));
  });

  it.each([
    [100.3, -0.35],
    [100.5, 0.41],
    [100, 0],
    [0, 0],
  ])('returns the rounding of the total of %d', (unitPrice, rounding) => {
    expect(roundingOf(totalsOf([line(1, unitPrice)], 'round'))).toBe(rounding);
    expect(roundingOf(totalsOf([line(1, unitPrice)], 'none'))).toBe(0);
  });

  it('is exact to the agora for any lines, compared with an integer model', () => {
    const scaled = (max: number) => fc.integer({ min: 0, max });
    const anyLine = fc.record({
      quantity: scaled(10_000_000),
      unitPrice: scaled(10_000_000),
      discountPercent: scaled(1_000_000),
      vatRate: fc.constantFrom(0, 170_000, 180_000),
    });
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 30 }), (scaledLines) => {
        const lines = scaledLines.map((each) => ({
          quantity: each.quantity / 10_000,
          unitPrice: each.unitPrice / 10_000,
          discountPercent: each.discountPercent / 10_000,
          vatRate: each.vatRate / 10_000,
        }));
        const expected = modelTotals(scaledLines);
        const { amount, tax, totalWithTax } = totalsOf(lines, 'none');
        expect([amount, tax, totalWithTax].map(agorot)).toEqual([
          expected.amount,
          expected.tax,
          expected.amount + expected.tax,
        ]);
      }),
      { numRuns: 500 },
    );
  });
});

function agorot(value: number): bigint {
  return BigInt(value.toFixed(2).replace('.', ''));
}

/** A model of the totals: integer arithmetic in units of 1/10000, rounded half up by hand. */
function modelTotals(lines: readonly Line[]): { amount: bigint; tax: bigint } {
  const rounded = (value: bigint, divisor: bigint) => (2n * value + divisor) / (2n * divisor);
  const nets = lines.map(({ quantity, unitPrice, discountPercent }) =>
    rounded(
      BigInt(quantity) * BigInt(unitPrice) * (1_000_000n - BigInt(discountPercent)),
      1_000_000_000_000n,
    ),
  );
  const sum = (values: bigint[]) => values.reduce((total, value) => total + value, 0n);
  const rates = [...new Set(lines.map(({ vatRate }) => vatRate))];
  const taxes = rates.map((rate) =>
    rounded(sum(nets.filter((_, index) => lines[index]?.vatRate === rate)) * BigInt(rate), 1_000_000n),
  );
  return { amount: sum(nets), tax: sum(taxes) };
}
