import { type Sample, slopeOf } from './slope';

/** Of 14,000 calls; with what calls under way at the moment have in hand. */
const heapThatGrowsBy = (mib: number): Sample[] =>
  Array.from({ length: 23 }, (_, index) => {
    const underWay = 1.5 * Math.sin(index * 2.4) + (index % 7 === 0 ? 6 : 0);
    return [index * 0.6, 80 + mib * index * 0.6 + underWay];
  });

describe('how steeply a heap grows', () => {
  it.each([
    ['that keeps what it has', 0],
    ['that forgets a little', -0.2],
  ])('is next to nothing for one %s', (_, mib) => {
    expect(slopeOf(heapThatGrowsBy(mib))).toBeLessThan(0.5);
  });

  it.each([1, 2.5])('shows a leak of %d MiB in 1,000 calls', (mib) => {
    expect(slopeOf(heapThatGrowsBy(mib))).toBeGreaterThan(0.5);
  });
});
