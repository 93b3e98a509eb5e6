import { shareRight } from './reliability';
import weights from './weights.json';

const POINTS = [
  { probability: 0.5, right: 0.4 },
  { probability: 0.9, right: 0.8 },
  { probability: 1, right: 0.98 },
];

describe('the share of right values', () => {
  it.each([
    [0.1, 0.4],
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

  it.each(Object.entries(weights))(
    'of %s rises with the probability, from 0.4',
    (_field, { reliability }) => {
      const rising = reliability.toSorted((one, other) => one.probability - other.probability);
      expect(reliability).toEqual(rising);
      expect(reliability).toEqual(rising.toSorted((one, other) => one.right - other.right));
      expect(reliability[0]!.right).toBeGreaterThanOrEqual(0.4);
      expect(reliability.at(-1)!.right).toBeLessThan(1);
    },
  );
});
