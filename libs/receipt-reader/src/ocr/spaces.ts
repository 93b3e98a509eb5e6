import type { ReadCharacter } from './ctc';

/** How wide a character is printed, compared with a digit. */
function widthOf(text: string): number {
  if (/[.,:;'!|ilI`]/.test(text)) return 0.55;
  if (/[()[\]\-"jft1/]/.test(text)) return 0.75;
  if (/[mMW@%&]/.test(text)) return 1.4;
  if (/[A-Zw]/.test(text)) return 1.15;
  return 1;
}

/** A gap is a space when it is wider than the letters beside it ask for by this part of a digit's width. */
const SPACE_MIN = 0.62;
/** Numbers are cut apart only by a gap that nobody would overlook: half a date is worse than two glued numbers. */
const SPACE_IN_NUMBER_MIN = 1.1;

/** With fewer distances, the usual one of the line is unknown. */
const DISTANCES_MIN = 3;

/**
 * Puts the spaces in that the recogniser dropped: where two characters stand further apart than their widths explain.
 * Whether the line is set in type of one width or of many shows in which of the two explains its distances better.
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
  /** The distance of two neighbours of width 1. */
  readonly advance: number;
  /** How far the distances are from it, as a part of it. */
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
