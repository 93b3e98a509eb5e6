import type { Raster } from '../image/raster';
import { cropUpright } from './crop';
import { confidenceOf, type ReadCharacter } from './ctc';
import { LINE_HEIGHT, recogniseLines } from './recognise-lines';
import type { RotatedBox } from './rotated-box';

const SAMPLE_SIZE = 8;
/** A page with at least this confidence is upright. */
const CLEAR = 0.85;
/** The upside-down reading must exceed the other by this much. */
const MARGIN = 0.04;

/**
 * Returns the clockwise quarter turns that make the text of a picture horizontal. It may still be upside
 * down.
 */
export function quartersToLie(boxes: readonly RotatedBox[]): number {
  return standsOnItsSide(boxes) ? 1 : 0;
}

/**
 * Compares the confidence upright and upside down. Call it only if the upright reading has low confidence.
 */
export async function isUpsideDown(
  raster: Raster,
  boxes: readonly RotatedBox[],
  read: readonly (readonly ReadCharacter[])[],
): Promise<boolean> {
  const longest = boxes
    .map((box, index) => ({ box, characters: read[index]! }))
    .sort((a, b) => b.box.width - a.box.width)
    .slice(0, SAMPLE_SIZE);
  const asItIs = confidenceOf(longest.flatMap(({ characters }) => characters));
  if (asItIs > CLEAR) return false;
  const overhead = longest.map(({ box }) =>
    cropUpright(raster, { ...box, angle: box.angle + Math.PI }, LINE_HEIGHT),
  );
  return confidenceOf((await recogniseLines(overhead)).flat()) > asItIs + MARGIN;
}

/** True if most of the text, by length, is vertical. */
function standsOnItsSide(boxes: readonly RotatedBox[]): boolean {
  let lying = 0;
  let standing = 0;
  for (const { width, height } of boxes) {
    if (width > 1.5 * height) lying += width;
    if (height > 1.5 * width) standing += height;
  }
  return standing > lying;
}
