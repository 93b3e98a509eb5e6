import { turned, type Raster } from '../image/raster';
import type { Page, Point, Span } from '../page';
import { turnedBack } from '../place';
import { cropUpright } from './crop';
import { detectText } from './detect-text';
import { readHebrewLines } from './hebrew-lines';
import { betterLine, mergedLine, type Line } from './line-text';
import { isUpsideDown, quartersToLie } from './orientation';
import { levelled, slopeOf, tilted } from './page-slope';
import { LINE_HEIGHT, recogniseLines } from './recognise-lines';
import { lookAgain } from './low-confidence-retry';
import { turnedWithRaster, type RotatedBox } from './rotated-box';

interface Turned {
  readonly raster: Raster;
  readonly boxes: readonly RotatedBox[];
}

/**
 * Recognises Latin letters, digits and Hebrew in a picture of a page in any orientation. The returned page is
 * upright with level rows. Its unit is a pixel of the raster.
 */
export async function recognisePage(picture: Raster): Promise<Page> {
  const { raster, lines, quarters } = await readUpright(picture);
  const hebrew = await readHebrewLines(lines);
  const plain = lines.filter((line) => !hebrew.has(line));
  const again = new Map((await lookAgain(raster, plain)).map((read, index) => [plain[index]!, read]));
  const slope = slopeOf(
    lines.map(({ box }) => box),
    raster,
  );
  const spans = lines.flatMap((line): Span[] => {
    const { text, ...rest } = hebrew.has(line)
      ? mergedLine(line, hebrew.get(line)!)
      : betterLine(line.characters, again.get(line));
    const { box } = line;
    const { x, y } = levelled(slope, box.centreX, box.centreY);
    const place = { x: x - box.width / 2, y: y - box.height / 2, width: box.width, height: box.height };
    return text === '' ? [] : [{ text, ...place, ...rest }];
  });
  const { width, height } = raster;
  const shown = (point: Point): Point => {
    const { x, y } = tilted(slope, point.x, point.y);
    return turnedBack({ x: x / width, y: y / height }, quarters);
  };
  return { width, height, spans, shown };
}

interface Upright {
  readonly raster: Raster;
  readonly lines: Line[];
  /** The clockwise quarter turns by which the picture was turned. */
  readonly quarters: number;
}

async function readUpright(picture: Raster): Promise<Upright> {
  const found = await detectText(picture);
  const quarters = quartersToLie(found);
  const lying = turnAll(picture, found, quarters);
  const lines = await readLines(lying);
  const read = lines.map(({ characters }) => characters);
  if (!(await isUpsideDown(lying.raster, lying.boxes, read)))
    return { raster: lying.raster, lines, quarters };
  const upright = turnAll(picture, found, quarters + 2);
  return { raster: upright.raster, lines: await readLines(upright), quarters: quarters + 2 };
}

function turnAll(picture: Raster, found: readonly RotatedBox[], quarters: number): Turned {
  const boxes = found.map((box) => turnedWithRaster(box, quarters, picture));
  return { raster: turned(picture, quarters), boxes };
}

async function readLines({ raster, boxes }: Turned): Promise<Line[]> {
  const crops = boxes.map((box) => cropUpright(raster, box, LINE_HEIGHT));
  const read = await recogniseLines(crops);
  return boxes.map((box, index) => ({ box, crop: crops[index]!, characters: read[index]! }));
}
