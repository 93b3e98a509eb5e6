export type Direction = 'ltr' | 'rtl';

/**
 * Characters to remove: bidirectional embeddings, overrides and isolates, with which a text could change the displayed
 * order of the amounts beside it; control characters other than tab and line breaks; the mark of the byte order; the two
 * codes that are not characters and that XML forbids.
 * Directional marks (U+200E, U+200F, U+061C) stay: they are part of ordinary Hebrew and Arabic text.
 */
const INVISIBLE = /[\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]|[^\P{Cc}\t\n\v\f\r\u0085]/gu;
const LINE_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/u;

/** Returns the lines of a text without what cannot be printed. Half of a surrogate pair becomes U+FFFD. */
export function printableLines(text: string): string[] {
  return text
    .toWellFormed()
    .replace(INVISIBLE, '')
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
const ZERO_WIDTH_SPACE = '\u200b';

/** A text with a word that may be too long for its line. */
export interface Breakable {
  readonly longestWord: string;
  /** The text with zero-width spaces in its long words, at which lines may break. */
  readonly broken: string;
}

/** Returns null if no word is too long for a line. */
export function breakable(text: string): Breakable | null {
  const words = text.match(LONG_WORD);
  if (words === null) return null;
  const longestWord = words.reduce((one, other) => (other.length > one.length ? other : one));
  return { longestWord, broken: text.replace(LONG_WORD, broken) };
}

function broken(word: string): string {
  const clusters = clustersOf(word);
  const pieces: string[] = [];
  for (let at = 0; at < clusters.length; at += PIECE_LENGTH)
    pieces.push(clusters.slice(at, at + PIECE_LENGTH).join(''));
  return pieces.join(ZERO_WIDTH_SPACE);
}

const CLUSTERS = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Returns the characters as readers see them, each with its combining marks. */
export function clustersOf(text: string): string[] {
  return [...CLUSTERS.segment(text)].map(({ segment }) => segment);
}
