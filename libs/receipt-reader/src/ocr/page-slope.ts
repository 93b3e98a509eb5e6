import type { RotatedBox } from './rotated-box';

/**
 * The slope of the rows of a page: `base`, plus `perPixel` for each pixel further down. The slope does not
 * change from left to right.
 */
export interface PageSlope {
  readonly base: number;
  readonly perPixel: number;
  readonly middleX: number;
  readonly middleY: number;
}

/** Only boxes that are clearly longer than high indicate the slope of a row. */
const LENGTH_MIN = 3;
const ROUNDS = 3;

/**
 * Returns the slope that most boxes agree on. It covers tilted pages, and rows that fan out in a photo taken
 * at an angle.
 */
export function slopeOf(boxes: readonly RotatedBox[], page: { width: number; height: number }): PageSlope {
  const middleX = page.width / 2;
  const middleY = page.height / 2;
  const rows = boxes
    .filter((box) => box.width > LENGTH_MIN * box.height)
    .map((box) => ({ y: box.centreY - middleY, slope: Math.tan(box.angle), weight: box.width }));
  const level = weightedMedian(rows.map(({ slope, weight }) => ({ value: slope, weight })));
  let kept = rows.filter(({ slope }) => Math.abs(slope - level) < 0.1);
  let line = { base: level, perPixel: 0 };
  for (let round = 0; round < ROUNDS && kept.length >= 6; round++) {
    line = fitLine(kept);
    kept = kept.filter(({ y, slope }) => Math.abs(slope - line.base - line.perPixel * y) < 0.03);
  }
  return { ...line, middleX, middleY };
}

/** Returns the position of a point after the rows are made level. */
export function levelled(slope: PageSlope, x: number, y: number): { x: number; y: number } {
  const dx = x - slope.middleX;
  const dy = y - slope.middleY;
  const row = (dy - slope.base * dx) / (1 + slope.perPixel * dx);
  return { x: x + slope.base * dy, y: slope.middleY + row };
}

/** The inverse of `levelled`. */
export function tilted(slope: PageSlope, x: number, y: number): { x: number; y: number } {
  const across = x - slope.middleX;
  const down = y - slope.middleY;
  const rise = slope.base + slope.perPixel * down;
  const dy = (down + rise * across) / (1 + rise * slope.base);
  return { x: x - slope.base * dy, y: slope.middleY + dy };
}

interface Row {
  readonly y: number;
  readonly slope: number;
  readonly weight: number;
}

function fitLine(rows: readonly Row[]): { base: number; perPixel: number } {
  const total = rows.reduce((sum, { weight }) => sum + weight, 0);
  const meanY = rows.reduce((sum, { y, weight }) => sum + y * weight, 0) / total;
  const meanSlope = rows.reduce((sum, { slope, weight }) => sum + slope * weight, 0) / total;
  const spread = rows.reduce((sum, { y, weight }) => sum + weight * (y - meanY) ** 2, 0);
  const common = rows.reduce((sum, row) => sum + row.weight * (row.y - meanY) * (row.slope - meanSlope), 0);
  const perPixel = spread > 0 ? common / spread : 0;
  return { base: meanSlope - perPixel * meanY, perPixel };
}

function weightedMedian(values: readonly { value: number; weight: number }[]): number {
  const sorted = values.toSorted((a, b) => a.value - b.value);
  const half = sorted.reduce((sum, { weight }) => sum + weight, 0) / 2;
  let passed = 0;
  for (const { value, weight } of sorted) {
    passed += weight;
    if (passed >= half) return value;
  }
  return 0;
}
