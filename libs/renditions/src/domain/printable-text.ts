import { visibleText } from '@counterfoil/kernel';

export type Direction = 'ltr' | 'rtl';

const LINE_BREAK = /\r\n|[\n\r]/u;

/** Returns the lines of a text without what cannot be printed. Half of a surrogate pair becomes U+FFFD. */
export function printableLines(text: string): string[] {
  return visibleText(text)
    .split(LINE_BREAK)
    .map((line) => line.replaceAll('\t', ' ').trim());
}

/** Returns the text on one line. */
export function printableLine(text: string): string {
  return printableLines(text).join(' ').trim();
}

const LETTER = /\p{L}/u;
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** The direction of the first letter of a text. Figures without letters are written from left to right. */
export function directionOf(text: string): Direction {
  const [letter = ''] = LETTER.exec(text) ?? [];
  return RIGHT_TO_LEFT.test(letter) ? 'rtl' : 'ltr';
}

/** Up to this length, a word fits everywhere, unless all of its letters are very wide. */
const WORD_LENGTH_MAX = 16;
const PIECE_LENGTH = 6;
const LONG_WORD = new RegExp(`\\S{${WORD_LENGTH_MAX + 1},}`, 'gu');

/** A text with a word that may be too long for its line. */
export interface Breakable {
  readonly longestWord: string;
  /** The text in pieces, between which lines may break inside of its long words. */
  readonly pieces: readonly string[];
}

/** Returns null if no word is too long for a line. */
export function breakable(text: string): Breakable | null {
  const words = text.match(LONG_WORD);
  if (words === null) return null;
  const longestWord = words.reduce((one, other) => (other.length > one.length ? other : one));
  return { longestWord, pieces: piecesOf(text, words) };
}

function piecesOf(text: string, words: readonly string[]): string[] {
  const between = text.split(LONG_WORD);
  const pieces = between.flatMap((others, at) => {
    const [first = '', ...rest] = partsOf(words[at] ?? '');
    return [others + first, ...rest];
  });
  return pieces.filter((piece) => piece !== '');
}

function partsOf(word: string): string[] {
  const clusters = clustersOf(word);
  const pieces: string[] = [];
  for (let at = 0; at < clusters.length; at += PIECE_LENGTH)
    pieces.push(clusters.slice(at, at + PIECE_LENGTH).join(''));
  return pieces;
}

const CLUSTERS = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Returns the characters as readers see them, each with its combining marks. */
export function clustersOf(text: string): string[] {
  return [...CLUSTERS.segment(text)].map(({ segment }) => segment);
}
