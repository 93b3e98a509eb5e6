import { median } from '@counterfoil/test-harness';

/** The heap size in MiB after this many calls. */
export type Sample = readonly [calls: number, mib: number];

export interface Growth {
  /**
   * The slope of the later half of the samples, in MiB per 1,000 calls. By then caches are full, but a leak
   * continues.
   */
  readonly slope: number;
  /** The largest sample minus the first one, in MiB. */
  readonly riseMib: number;
}

export function growthOf(samples: readonly Sample[]): Growth {
  const sizes = samples.map(([, mib]) => mib);
  return {
    slope: slopeOf(samples.slice(Math.floor(samples.length / 2))),
    riseMib: Math.max(...sizes) - (sizes[0] ?? NaN),
  };
}

/**
 * Returns the median of the slopes between all pairs of samples (Theil-Sen), which is robust against
 * outliers.
 */
function slopeOf(samples: readonly Sample[]): number {
  const slopes = samples.flatMap(([calls, mib], index) =>
    samples.slice(index + 1).map(([laterCalls, laterMib]) => (laterMib - mib) / (laterCalls - calls)),
  );
  return median(slopes);
}
