const MARKS = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;
const DOUBLE_QUOTES = /[\u05f4\u201c\u201d\u201e\u201f\u2033]|''/g;
const SINGLE_QUOTES = /[\u05f3\u2018\u2019\u201a\u2032\u00b4`]/g;
const DASHES = /[\u05be\u2010-\u2015\u2212]/g;

/** Normalises quotes, dashes and spaces, and removes directional marks. */
export function clean(text: string): string {
  return text
    .normalize('NFKC')
    .replace(MARKS, '')
    .replace(SINGLE_QUOTES, "'")
    .replace(DOUBLE_QUOTES, '"')
    .replace(DASHES, '-')
    .replace(/\s+/g, ' ')
    .trim();
}

const SPECIAL: Readonly<Record<string, string>> = {
  ß: 'SS',
  æ: 'AE',
  œ: 'OE',
  ø: 'O',
  ł: 'L',
  đ: 'D',
  ı: 'I',
  '#': 'NO',
  '°': 'O',
};

const folded = new Map<string, string>();

/**
 * Returns upper-case letters without accents, and digits. Other characters become ''. "#" and "N°" become
 * "NO".
 */
function fold(character: string): string {
  const known = folded.get(character);
  if (known !== undefined) return known;
  const lower = character.toLowerCase();
  const base = SPECIAL[lower] ?? lower.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase();
  const result = base.replace(/[^\p{L}\p{N}]/gu, '');
  if (folded.size < 5000) folded.set(character, result);
  return result;
}

/** The folded letters and digits of a text, with the offset of each in the original text. */
export interface Squashed {
  readonly text: string;
  readonly offsets: readonly number[];
}

/** Removes spaces, case, accents and punctuation. */
export function squash(text: string): Squashed {
  const kept: string[] = [];
  const offsets: number[] = [];
  for (let index = 0; index < text.length; index++) {
    for (const character of fold(text.charAt(index))) {
      kept.push(character);
      offsets.push(index);
    }
  }
  return { text: kept.join(''), offsets };
}

export const isLetter = (character: string | undefined): boolean =>
  character !== undefined && /\p{L}/u.test(character);

export const isDigit = (character: string | undefined): boolean =>
  character !== undefined && character >= '0' && character <= '9';

/** Replaces each bracketed part, up to the next closing bracket, with a space. */
export function withoutBrackets(text: string): string {
  let rest = '';
  let from = 0;
  for (let open = text.indexOf('('); open !== -1; open = text.indexOf('(', from)) {
    const close = text.indexOf(')', open);
    if (close === -1) break;
    rest += `${text.slice(from, open)} `;
    from = close + 1;
  }
  return rest + text.slice(from);
}

export const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** Counts the words of at least two Hebrew letters. OCR often reads a smudge as a single letter. */
export const hebrewWords = (text: string): number => countOf(text, /[\u05d0-\u05ea]{2,}/g);
