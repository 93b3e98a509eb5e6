import type { Raster } from '../image/raster';
import { cropUpright } from './crop';
import { confidenceOf, type ReadCharacter } from './ctc';
import { LINE_HEIGHT, recogniseLines } from './recognise-lines';
import type { RotatedBox } from './rotated-box';

const SAMPLE_SIZE = 8;
/** Read as it lies with this much confidence, a page lies right. */
const CLEAR = 0.85;
/** The other way up must be read this much better. */
const MARGIN = 0.04;

/** The clockwise quarter turns after which the text of a picture is horizontal, possibly upside down. */
export function quartersToLie(boxes: readonly RotatedBox[]): number {
  return standsOnItsSide(boxes) ? 1 : 0;
}

/** Whether a picture whose text lies is better read upside down; asked only of what reads badly as it is. */
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

/** Most of the text, by length, runs up or down. */
function standsOnItsSide(boxes: readonly RotatedBox[]): boolean {
  let lying = 0;
  let standing = 0;
  for (const { width, height } of boxes) {
    if (width > 1.5 * height) lying += width;
    if (height > 1.5 * width) standing += height;
  }
  return standing > lying;
}
