import type { Raster } from '../image/raster';
import { cropUpright } from './crop';
import { confidenceOf, type ReadCharacter } from './ctc';
import { LINE_HEIGHT, recogniseLines } from './recognise-lines';
import type { RotatedBox } from './rotated-box';

/** A line is read again if its mean confidence, or that of any character, is below these limits. */
const MEAN_MIN = 0.93;
const LEAST_MIN = 0.6;
/** Size of the second crop relative to the first. It is tighter, so letters become larger. */
const CLOSER = { width: 0.98, height: 0.82 };

interface Read {
  readonly box: RotatedBox;
  readonly characters: readonly ReadCharacter[];
}

/**
 * Reads low-confidence lines again in a tighter crop. Returns one result for each line in order, undefined
 * for lines that were not read again.
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
