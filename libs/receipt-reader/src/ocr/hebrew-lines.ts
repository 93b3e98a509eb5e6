import { confidenceOf } from './ctc';
import type { Line } from './line-text';
import { hebrewWordsIn, type ReadWord } from './merge-readings';
import { readHebrew } from './read-hebrew';

const SAMPLE_SIZE = 8;
const DOUBTFUL_BELOW = 0.85;
const HEBREW_WORDS_MIN = 2;
const HEBREW_SHARE_MIN = 0.3;

/**
 * Reads the lines of a page with the Hebrew OCR engine, or none if the page has no Hebrew. The engine is
 * slow, so it first reads a few lines on which the Latin engine has low confidence, and the rest only if
 * these contain Hebrew words.
 */
export async function readHebrewLines(lines: readonly Line[]): Promise<Map<Line, readonly ReadWord[]>> {
  const open = lines.filter((line) => !isSurelyLatin(line));
  const sample = open
    .filter(({ box, characters }) => box.width > 2 * box.height && confidenceOf(characters) < DOUBTFUL_BELOW)
    .sort((a, b) => confidenceOf(a.characters) - confidenceOf(b.characters))
    .slice(0, SAMPLE_SIZE);
  const words = await readHebrew(sample.map(({ crop }) => crop));
  const all = words.flat();
  const hebrewCount = hebrewWordsIn(all);
  if (hebrewCount < HEBREW_WORDS_MIN || hebrewCount < HEBREW_SHARE_MIN * all.length) return new Map();
  const rest = open.filter((line) => !sample.includes(line));
  const restWords = await readHebrew(rest.map(({ crop }) => crop));
  return new Map([...sample, ...rest].map((line, index) => [line, [...words, ...restWords][index]!]));
}

/** True if the line is a number with high confidence for every character, or clear Latin text. */
function isSurelyLatin({ characters }: Line): boolean {
  const least = Math.min(1, ...characters.map(({ confidence }) => confidence));
  const letters = characters.filter(({ text }) => /[A-Za-z]/.test(text));
  if (letters.length === 0)
    return characters.length > 0 && least >= 0.9 && characters.some(({ text }) => /\d/.test(text));
  return letters.length >= 4 && least >= 0.6 && confidenceOf(characters) >= 0.97;
}
