import type { Raster } from '../image/raster';
import { cropUpright } from './crop';
import { confidenceOf, type ReadCharacter } from './ctc';
import { LINE_HEIGHT, recogniseLines } from './recognise-lines';
import type { RotatedBox } from './rotated-box';

/** A line is looked at again when its mean or any of its characters is less sure than this. */
const MEAN_MIN = 0.93;
const LEAST_MIN = 0.6;
/** The second crop, compared with the first: closer to the text, so that the letters come out larger. */
const CLOSER = { width: 0.98, height: 0.82 };

interface Read {
  readonly box: RotatedBox;
  readonly characters: readonly ReadCharacter[];
}

/**
 * Recognises the doubtful lines again in a closer crop; undefined for all others. The answers are in the order of the
 * lines.
 */
export async function lookAgain(
  raster: Raster,
  lines: readonly Read[],
): Promise<(ReadCharacter[] | undefined)[]> {
  const doubtful = lines.filter(isDoubtful);
  const crops = doubtful.map(({ box }) => cropUpright(raster, closer(box), LINE_HEIGHT));
  const read = await recogniseLines(crops);
  return lines.map((line) => read[doubtful.indexOf(line)]);
}

function isDoubtful({ characters }: Read): boolean {
  if (!characters.some(({ text }) => /[\p{L}\d]/u.test(text))) return false;
  return confidenceOf(characters) < MEAN_MIN || characters.some(({ confidence }) => confidence < LEAST_MIN);
}

function closer(box: RotatedBox): RotatedBox {
  return { ...box, width: box.width * CLOSER.width, height: box.height * CLOSER.height };
}
