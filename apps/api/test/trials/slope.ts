import { median } from '@counterfoil/test-harness';

/** The size of a heap, in MiB, after so many thousands of calls. */
export type Sample = readonly [calls: number, mib: number];

export interface Growth {
  /** How steeply the later half of the samples rises, in MiB in 1,000 calls. Caches are full by then, a leak goes on. */
  readonly slope: number;
  /** The largest sample above the first one, in MiB. */
  readonly riseMib: number;
}

export function growthOf(samples: readonly Sample[]): Growth {
  const sizes = samples.map(([, mib]) => mib);
  return {
    slope: slopeOf(samples.slice(Math.floor(samples.length / 2))),
    riseMib: Math.max(...sizes) - (sizes[0] ?? NaN),
  };
}

/** The median of the slopes between any two samples (Theil and Sen), which a few odd ones do not change. */
function slopeOf(samples: readonly Sample[]): number {
  const slopes = samples.flatMap(([calls, mib], index) =>
    samples.slice(index + 1).map(([laterCalls, laterMib]) => (laterMib - mib) / (laterCalls - calls)),
  );
  return median(slopes);
}
