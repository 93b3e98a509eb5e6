import type { Raster } from '../image/raster';
import { confidenceOf, type ReadCharacter } from './ctc';
import { mergeReadings, type MergedLine, type ReadWord } from './merge-readings';
import { withSignsPutRight } from './confusables';
import { withSpaces } from './spaces';
import type { RotatedBox } from './rotated-box';

/** A box of text on the page, with the reading of the Latin engine. */
export interface Line {
  readonly box: RotatedBox;
  readonly crop: Raster;
  readonly characters: readonly ReadCharacter[];
}

/** How far outside a word of the Hebrew engine its characters may lie, in line heights. */
const SLACK = 0.15;

/** Merges the readings of both engines. */
export function mergedLine({ box, characters }: Line, words: readonly ReadWord[]): MergedLine {
  const slack = (SLACK * box.height) / box.width;
  return mergeReadings(characters, words, slack) ?? betterLine(characters, undefined);
}

/** A second reading must have at least this much more confidence. Smaller differences are mostly chance. */
const SURER_BY = 0.03;

/**
 * Returns the reading with more confidence. The other one becomes the alternative if letters or digits
 * differ.
 */
export function betterLine(
  first: readonly ReadCharacter[],
  second: readonly ReadCharacter[] | undefined,
): MergedLine {
  const secondIsBetter = second !== undefined && confidenceOf(second) > confidenceOf(first) + SURER_BY;
  const [better, worse] = secondIsBetter ? [second, first] : [first, second];
  const text = plainText(better);
  const other = worse && plainText(worse);
  const differs = other && signsOf(other) !== signsOf(text);
  return { text, confidence: confidenceOf(better), ...(differs && { alternative: other }) };
}

const signsOf = (text: string) => text.replace(/[^\p{L}\d.,]/gu, '');

function plainText(characters: readonly ReadCharacter[]): string {
  const spaced = withSpaces(characters).map(({ text }) => text);
  return withSignsPutRight(spaced.join('').trim());
}
