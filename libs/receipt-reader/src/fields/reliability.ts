/**
 * How often the model is right about a field, measured on documents of merchants and layouts that it was not
 * trained on. Both figures rise from point to point.
 */
export type Reliability = readonly {
  /** The probability that the model gives to a value. */
  readonly probability: number;
  /** The share of values with about that probability that are right. */
  readonly right: number;
}[];

/** Few values are less probable than those of the first point, so little is known about them. */
const START = { probability: 0, right: 0 };

/** Returns the share of right values among those with this probability: between two points, on their line. */
export function shareRight(points: Reliability, probability: number): number {
  if (points.length === 0) return probability;
  const lower = points.findLast((point) => point.probability <= probability) ?? START;
  const upper = points.find((point) => point.probability > probability);
  if (!upper) return lower.right;
  const part = (probability - lower.probability) / (upper.probability - lower.probability);
  return lower.right + part * (upper.right - lower.right);
}
