import { median } from '@counterfoil/test-harness';

/** The size of a heap, in MiB, after so many thousands of calls. */
export type Sample = readonly [calls: number, mib: number];

/**
 * How steeply the samples rise: the median of the slopes between any two of them (Theil and Sen). A few samples that are
 * far off, as while large calls are under way, do not change it.
 *
 * @returns MiB in 1,000 calls
 */
export function slopeOf(samples: readonly Sample[]): number {
  const slopes = samples.flatMap(([calls, mib], index) =>
    samples.slice(index + 1).map(([laterCalls, laterMib]) => (laterMib - mib) / (laterCalls - calls)),
  );
  return median(slopes);
}
