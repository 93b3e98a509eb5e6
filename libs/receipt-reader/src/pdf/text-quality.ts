import type { Page } from '../page';

/** An invoice page has hundreds of letters. A stamp of a scanner has fewer. */
const LETTERS_MIN = 40;
/** Shares of all characters, and of all words. */
const UNMAPPED_MAX = 0.15;
const WORDS_MIN = 0.7;
/** Share of the Latin letters. Every language in Latin script has a higher share. */
const VOWELS_MIN = 0.2;

const LETTER = /\p{L}/gu;
const LATIN = /[a-z]/g;
const VOWEL = /[aeiouy]/g;
/** Placeholders for characters that a font does not map to Unicode. */
const UNMAPPED = /[\p{Co}\p{Cn}\p{Cc}\ufffd]/gu;
/** Words in one case or capitalised, words of scripts without case, and numbers. */
const WORD =
  /^(\p{Lu}?[\p{Ll}\p{M}'’-]+|[\p{Lu}\p{M}'’&-]+|[\p{Lo}\p{M}"'׳״’-]+|[\p{Lu}#-]*\d[\d.,:/%-]*\p{L}{0,3})$/u;

/**
 * True if the text layer of a PDF is readable. Layers of bad scans, and of fonts without a Unicode mapping,
 * are not.
 */
export function isReadable(pages: readonly Page[]): boolean {
  const text = textOf(pages);
  const unmapped = text.match(UNMAPPED)?.length ?? 0;
  if (!hasLetters(text) || unmapped > UNMAPPED_MAX * text.length) return false;
  return shareOfWords(text) >= WORDS_MIN && hasVowels(text);
}

/** True if the page has less text than an invoice, such as the stamp of a scanner or the number of the page. */
export const isNearlyBlank = (page: Page): boolean => !hasLetters(textOf([page]));

const textOf = (pages: readonly Page[]): string =>
  pages.flatMap(({ spans }) => spans.map((span) => span.text)).join(' ');

/** True if the page has clearly more text than another reading of it. */
export const hasMoreText = (page: Page, other: Page): boolean =>
  lettersOf(textOf([page])) >= lettersOf(textOf([other])) + LETTERS_MIN;

const lettersOf = (text: string): number => text.match(LETTER)?.length ?? 0;
const hasLetters = (text: string): boolean => lettersOf(text) >= LETTERS_MIN;

/**
 * Some fonts shift every letter, for example to the next in the alphabet. The resulting words have few
 * vowels.
 */
function hasVowels(text: string): boolean {
  const plain = text.normalize('NFD').toLowerCase();
  const latin = plain.match(LATIN)?.length ?? 0;
  return latin < LETTERS_MIN || (plain.match(VOWEL)?.length ?? 0) >= VOWELS_MIN * latin;
}

/** Share of proper words among the parts between spaces, ignoring single characters. */
function shareOfWords(text: string): number {
  const tokens = text
    .split(/[\s|]+/)
    .map((token) => token.replace(/^[^\p{L}\p{N}]+|(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/gu, ''))
    .filter((token) => token !== '');
  const words = tokens.flatMap((token) => token.split(/[-/@.:_]/)).filter((token) => token !== '');
  return words.length === 0 ? 0 : words.filter((word) => WORD.test(word)).length / words.length;
}
