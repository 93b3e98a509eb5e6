import type { Point } from '../page';

/** A rotated rectangle around a piece of text. Unit: pixels of the raster. */
export interface RotatedBox {
  readonly centreX: number;
  readonly centreY: number;
  /** Along the text. */
  readonly width: number;
  /** Across the text. */
  readonly height: number;
  /** Angle by which the text slopes down to the right, in radians; -π/4 to π/4. */
  readonly angle: number;
}

/**
 * Returns the rotated box of minimum area around the points. Its width is along the axis closest to
 * horizontal.
 */
export function smallestBoxAround(points: readonly Point[]): RotatedBox {
  const hull = convexHull(points);
  let best: RotatedBox | undefined;
  for (const [index, from] of hull.entries()) {
    const to = hull[(index + 1) % hull.length]!;
    const box = boxAlong(hull, Math.atan2(to.y - from.y, to.x - from.x));
    if (!best || box.width * box.height < best.width * best.height) best = box;
  }
  return best!;
}

/** Andrew's monotone chain. Collinear points yield their two ends, a single point itself. */
export function convexHull(points: readonly Point[]): Point[] {
  const sorted = points.toSorted((a, b) => a.x - b.x || a.y - b.y);
  if (sorted.length < 3) return sorted;
  const lower = halfHull(sorted);
  const upper = halfHull(sorted.toReversed());
  return [...lower.slice(0, -1), ...upper.slice(0, -1)];
}

function halfHull(sorted: readonly Point[]): Point[] {
  const hull: Point[] = [];
  for (const point of sorted) {
    while (hull.length > 1 && !turnsLeft(hull.at(-2)!, hull.at(-1)!, point)) hull.pop();
    hull.push(point);
  }
  return hull;
}

function turnsLeft(a: Point, b: Point, c: Point): boolean {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) > 0;
}

function boxAlong(hull: readonly Point[], direction: number): RotatedBox {
  // A rectangle rotated by a quarter turn is the same rectangle with its sides exchanged.
  const angle = direction - Math.round(direction / (Math.PI / 2)) * (Math.PI / 2);
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  const along = hull.map(({ x, y }) => x * cos + y * sin);
  const across = hull.map(({ x, y }) => y * cos - x * sin);
  const [left, right] = [Math.min(...along), Math.max(...along)];
  const [top, bottom] = [Math.min(...across), Math.max(...across)];
  const [u, v] = [(left + right) / 2, (top + bottom) / 2];
  return {
    centreX: u * cos - v * sin,
    centreY: u * sin + v * cos,
    width: right - left,
    height: bottom - top,
    angle,
  };
}

/** Returns the box after the raster was rotated clockwise by quarter turns. */
export function turnedWithRaster(
  box: RotatedBox,
  quarters: number,
  raster: { width: number; height: number },
): RotatedBox {
  const { centreX, centreY, width, height } = box;
  if (quarters === 0) return box;
  if (quarters === 2) return { ...box, centreX: raster.width - centreX, centreY: raster.height - centreY };
  const sides = { width: height, height: width };
  return quarters === 1
    ? { ...box, ...sides, centreX: raster.height - centreY, centreY: centreX }
    : { ...box, ...sides, centreX: centreY, centreY: raster.width - centreX };
}
