import type { Point } from '../page';
import { smallestBoxAround, type RotatedBox } from './rotated-box';

/**
 * The detector's output for every pixel: the probability that it is in the core of a piece of text (0 to 1).
 */
export interface ProbabilityMap {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array;
}

export interface RegionLimits {
  /** Pixels above this probability belong to a region. */
  readonly pixelMin: number;
  /** A region is text if its mean probability is above this. */
  readonly meanMin: number;
  /** The detector finds shrunken cores. A box grows by area × growth / perimeter on each side. */
  readonly growth: number;
}

const SIDE_MIN = 3;

/** Returns the boxes of the connected regions, grown to the size of the text. Unit: pixels of the map. */
export function findTextBoxes(map: ProbabilityMap, limits: RegionLimits): RotatedBox[] {
  const seen = new Uint8Array(map.data.length);
  const boxes: RotatedBox[] = [];
  for (let start = 0; start < seen.length; start++) {
    if (seen[start] || map.data[start]! <= limits.pixelMin) continue;
    const region = collectRegion(map, start, { seen, pixelMin: limits.pixelMin });
    if (region.mean < limits.meanMin) continue;
    const box = smallestBoxAround(region.outline);
    if (Math.min(box.width, box.height) < SIDE_MIN) continue;
    boxes.push(grown(box, limits.growth));
  }
  return boxes;
}

interface Region {
  /** The outermost pixels of each row, which suffice for the convex hull. */
  readonly outline: Point[];
  readonly mean: number;
}

function collectRegion(
  map: ProbabilityMap,
  start: number,
  { seen, pixelMin }: { seen: Uint8Array; pixelMin: number },
): Region {
  const { width, height, data } = map;
  const ends = new Map<number, { left: number; right: number }>();
  const open = [start];
  seen[start] = 1;
  let sum = 0;
  let count = 0;
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    const x = index % width;
    const y = (index - x) / width;
    sum += data[index]!;
    count++;
    const row = ends.get(y);
    if (!row) ends.set(y, { left: x, right: x });
    else if (x < row.left) row.left = x;
    else if (x > row.right) row.right = x;
    for (const [nextX, nextY] of [
      [x - 1, y],
      [x + 1, y],
      [x, y - 1],
      [x, y + 1],
    ] as const) {
      if (nextX < 0 || nextY < 0 || nextX >= width || nextY >= height) continue;
      const next = nextY * width + nextX;
      if (seen[next] || data[next]! <= pixelMin) continue;
      seen[next] = 1;
      open.push(next);
    }
  }
  const outline = [...ends].flatMap(([y, { left, right }]) => cornersOf(left, right, y));
  return { outline, mean: sum / count };
}

/** Returns corners, because a pixel has an area. */
function cornersOf(left: number, right: number, y: number): Point[] {
  return [
    { x: left, y },
    { x: left, y: y + 1 },
    { x: right + 1, y },
    { x: right + 1, y: y + 1 },
  ];
}

function grown(box: RotatedBox, growth: number): RotatedBox {
  const { width, height } = box;
  const margin = (width * height * growth) / (2 * (width + height));
  return { ...box, width: width + 2 * margin, height: height + 2 * margin };
}
