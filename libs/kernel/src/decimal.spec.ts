import fc from 'fast-check';
import { decimal, hasScale, MONEY_MAX, sum, toUnitScale, toMoney } from './decimal';

describe('decimals', () => {
  it('adds without drift', () => {
    expect(toMoney(sum([0.1, 0.2]))).toBe(0.3);
    expect(toMoney(sum(Array.from({ length: 1000 }, () => 0.01)))).toBe(10);
  });

  it('rounds half away from zero', () => {
    expect(toMoney(decimal(0.125))).toBe(0.13);
    expect(toMoney(decimal(-0.125))).toBe(-0.13);
    expect(toMoney(decimal(1.005))).toBe(1.01);
    expect(toUnitScale(decimal(0.00005))).toBe(0.0001);
  });

  it('never returns minus zero', () => {
    expect(Object.is(toMoney(decimal(-0.001)), 0)).toBe(true);
  });

  it.each([
    [0.1, 2, true],
    [0.123, 2, false],
    [1e-7, 4, false],
    [9_999_999_999.9999, 4, true],
    [Number.NaN, 2, false],
    [Number.POSITIVE_INFINITY, 2, false],
  ])('tells whether %d has at most %d decimals', (value, scale, expected) => {
    expect(hasScale(value, scale)).toBe(expected);
  });

  it('preserves any amount of money within the limit', () => {
    const agorot = fc.bigInt({ min: 0n, max: BigInt(Math.round(MONEY_MAX * 100)) });
    fc.assert(
      fc.property(agorot, (value) => {
        const text = `${value / 100n}.${String(value % 100n).padStart(2, '0')}`;
        expect(decimal(Number(text)).toFixed(2)).toBe(text);
      }),
      { numRuns: 10_000 },
    );
  });
});
