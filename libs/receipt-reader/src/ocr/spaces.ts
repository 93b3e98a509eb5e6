import type { ReadCharacter } from './ctc';

/** Returns the printed width of a character relative to a digit. */
function widthOf(text: string): number {
  if (/[.,:;'!|ilI`]/.test(text)) return 0.55;
  if (/[()[\]\-"jft1/]/.test(text)) return 0.75;
  if (/[mMW@%&]/.test(text)) return 1.4;
  if (/[A-Zw]/.test(text)) return 1.15;
  return 1;
}

/** A gap is a space if it exceeds the expected gap by this share of a digit's width. */
const SPACE_MIN = 0.62;
/** Numbers are split only at very clear gaps, because half a date is worse than two joined numbers. */
const SPACE_IN_NUMBER_MIN = 1.1;

/** With fewer gaps, the typical distance of the line is unknown. */
const DISTANCES_MIN = 3;

/**
 * Restores spaces that OCR dropped: characters that stand further apart than their widths explain. Monospaced
 * or proportional type is assumed, whichever fits the distances of the line better.
 */
export function withSpaces(characters: readonly ReadCharacter[]): ReadCharacter[] {
  const [equal, unequal] = [explain(characters, () => 1), explain(characters, widthOf)];
  const { advance, halves } = equal.spread < unequal.spread ? equal : unequal;
  return characters.flatMap((character, index) => {
    const next = characters[index + 1];
    if (!next || next.text === ' ' || character.text === ' ') return [character];
    const gap = next.position - character.position;
    const least = /\d/.test(character.text) && /\d/.test(next.text) ? SPACE_IN_NUMBER_MIN : SPACE_MIN;
    if (gap <= (halves(character, next) + least) * advance) return [character];
    const position = (character.position + next.position) / 2;
    return [character, { text: ' ', confidence: 1, position }];
  });
}

type Halves = (left: ReadCharacter, right: ReadCharacter) => number;

interface Explanation {
  /** Distance of two neighbouring characters of width 1. */
  readonly advance: number;
  /** Relative deviation of the distances from `advance`. */
  readonly spread: number;
  readonly halves: Halves;
}

function explain(characters: readonly ReadCharacter[], width: (text: string) => number): Explanation {
  const halves: Halves = (left, right) => (width(left.text) + width(right.text)) / 2;
  const advances: number[] = [];
  for (const [index, character] of characters.entries()) {
    const next = characters[index + 1];
    if (!next || next.text === ' ' || character.text === ' ') continue;
    advances.push((next.position - character.position) / halves(character, next));
  }
  if (advances.length < DISTANCES_MIN) return { advance: Infinity, spread: 0, halves };
  const advance = median(advances);
  const spread = median(advances.map((value) => Math.abs(value - advance))) / advance;
  return { advance, spread, halves };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
