import { shareRight } from './reliability';
import weights from './weights.json';

const POINTS = [
  { probability: 0.5, right: 0.4 },
  { probability: 0.9, right: 0.8 },
  { probability: 1, right: 0.98 },
];

describe('the share of right values', () => {
  it.each([
    [0.1, 0.08],
    [0.5, 0.4],
    [0.7, 0.6],
    [0.95, 0.89],
    [1, 0.98],
  ])('for the probability %d is %d', (probability, share) => {
    expect(shareRight(POINTS, probability)).toBeCloseTo(share);
  });

  it('is the probability if nothing was measured', () => {
    expect(shareRight([], 0.7)).toBe(0.7);
  });

  describe.each(Object.entries(weights))('of %s', (_field, { reliability, threshold }) => {
    it('rises with the probability', () => {
      const rises = (key: 'probability' | 'right') =>
        reliability.every((point, index) => index === 0 || point[key] > reliability[index - 1]![key]);
      expect([rises('probability'), rises('right')]).toEqual([true, true]);
      expect(reliability.at(-1)!.right).toBeLessThan(1);
    });

    it('is at least 0.4 for a value that is returned, and no improbable value is sure', () => {
      expect(shareRight(reliability, threshold)).toBeGreaterThanOrEqual(0.4);
      expect(shareRight(reliability, 0.5)).toBeLessThan(0.95);
    });
  });
});
