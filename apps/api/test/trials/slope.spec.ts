import { growthOf, type Sample } from './slope';

const STEPS = 41;

/** Returns samples over 40,000 calls, with noise from garbage collection and timers. */
const heapOf = (mibAfter: (thousands: number) => number): Sample[] =>
  Array.from({ length: STEPS }, (_, index) => {
    const left = 0.5 * Math.sin(index * 2.4) + (index % 7 === 0 ? 2 : 0);
    return [index, 60 + mibAfter(index) + left];
  });

describe('the growth of a heap', () => {
  it.each([
    ['keeps what it has', () => 0],
    ['forgets a little', (thousands: number) => -0.2 * thousands],
    ['fills a cache in the first half', (thousands: number) => Math.min(20, 1.2 * thousands)],
  ])('is almost zero for one that %s', (_, mibAfter) => {
    expect(growthOf(heapOf(mibAfter)).slope).toBeLessThan(0.03);
  });

  it.each([0.15, 0.5, 2.5])('shows a leak of %d MiB in 1,000 calls', (mib) => {
    const { slope } = growthOf(heapOf((thousands) => mib * thousands));
    expect(slope).toBeGreaterThan(0.1);
    expect(slope).toBeCloseTo(mib, 1);
  });

  it('includes the highest rise above the first size, even a temporary one', () => {
    expect(
      growthOf([
        [0, 60],
        [1, 100],
        [2, 61],
      ]).riseMib,
    ).toBe(40);
  });
});
