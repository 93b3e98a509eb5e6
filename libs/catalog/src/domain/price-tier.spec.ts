import fc from 'fast-check';
import { findOverlaps } from './price-tier';

interface Bounds {
  readonly from: number;
  readonly to: number;
}

const tier = (from: number, to: number): Bounds => ({ from, to });
const meet = (one: Bounds, other: Bounds) => one.from <= other.to && other.from <= one.to;

describe('findOverlaps', () => {
  it.each<[string, Bounds[], (readonly [number, number])[]]>([
    ['none', [], []],
    ['one', [tier(0, 10)], []],
    ['neighbours', [tier(1, 9.9999), tier(10, 20)], []],
    ['with a gap', [tier(1, 5), tier(8, 20)], []],
    ['unordered', [tier(20, 30), tier(0, 9), tier(10, 19)], []],
    ['of one quantity each', [tier(0, 0), tier(1, 1), tier(2, 2)], []],
    ['that share a bound', [tier(1, 10), tier(10, 20)], [[0, 1]]],
    ['that share a bound, sent the other way', [tier(10, 20), tier(1, 10)], [[0, 1]]],
    ['that share one bound with decimals', [tier(1, 10.0001), tier(10.0001, 20)], [[0, 1]]],
    ['that are equal', [tier(5, 5), tier(5, 5)], [[0, 1]]],
    [
      'nested',
      [tier(2, 3), tier(0, 100), tier(50, 60)],
      [
        [0, 1],
        [1, 2],
      ],
    ],
    [
      'behind a neighbour that ends earlier',
      [tier(0, 100), tier(1, 2), tier(99, 120)],
      [
        [0, 1],
        [0, 2],
      ],
    ],
  ])('finds the overlapping pairs of tiers: %s', (_, tiers, pairs) => {
    expect(findOverlaps(tiers)).toEqual(pairs);
  });

  it('finds a pair exactly when two tiers overlap, and only overlapping pairs', () => {
    const bounds = fc
      .tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 40 }))
      .map(([from, length]) => tier(from / 4, (from + length) / 4));
    fc.assert(
      fc.property(fc.array(bounds, { maxLength: 12 }), (tiers) => {
        const expected = tiers.some((one, place) => tiers.slice(0, place).some((other) => meet(one, other)));
        const pairs = findOverlaps(tiers);
        expect(pairs.length > 0).toBe(expected);
        for (const [first, second] of pairs) {
          expect(first).toBeLessThan(second);
          expect(meet(tiers[first]!, tiers[second]!)).toBe(true);
        }
      }),
      { numRuns: 5_000 },
    );
  });
});
