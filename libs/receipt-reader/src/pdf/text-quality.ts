import type { Page } from '../page';

/** A page of an invoice has hundreds; a stamp of the scanner has fewer. */
const LETTERS_MIN = 40;
/** Shares of all characters, of all words. */
const UNMAPPED_MAX = 0.15;
const WORDS_MIN = 0.7;
/** Of the Latin letters; words of any language that is written in them have more. */
const VOWELS_MIN = 0.2;

const LETTER = /\p{L}/gu;
const LATIN = /[a-z]/g;
const VOWEL = /[aeiouy]/g;
/** Placeholders that a font uses for characters that it does not name. */
const UNMAPPED = /[\p{Co}\p{Cn}\p{Cc}\ufffd]/gu;
/** Words in one case or with a capital, words of scripts without cases, and numbers as they are written. */
const WORD =
  /^(\p{Lu}?[\p{Ll}\p{M}'’-]+|[\p{Lu}\p{M}'’&-]+|[\p{Lo}\p{M}"'׳״’-]+|[\p{Lu}#-]*\d[\d.,:/%-]*\p{L}{0,3})$/u;

/** Whether the text layer of a PDF is text that can be read; that of a bad scan or of a font without names is not. */
export function isReadable(pages: readonly Page[]): boolean {
  const text = pages.flatMap(({ spans }) => spans.map((span) => span.text)).join(' ');
  const letters = text.match(LETTER)?.length ?? 0;
  const unmapped = text.match(UNMAPPED)?.length ?? 0;
  if (letters < LETTERS_MIN || unmapped > UNMAPPED_MAX * text.length) return false;
  return shareOfWords(text) >= WORDS_MIN && hasVowels(text);
}

/** Fonts that give their letters other names, each the next one in the alphabet, make words without them. */
function hasVowels(text: string): boolean {
  const plain = text.normalize('NFD').toLowerCase();
  const latin = plain.match(LATIN)?.length ?? 0;
  return latin < LETTERS_MIN || (plain.match(VOWEL)?.length ?? 0) >= VOWELS_MIN * latin;
}

/** Of what stands between spaces and is more than a sign. */
function shareOfWords(text: string): number {
  const tokens = text
    .split(/[\s|]+/)
    .map((token) => token.replace(/^[^\p{L}\p{N}]+|(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/gu, ''))
    .filter((token) => token !== '');
  const words = tokens.flatMap((token) => token.split(/[-/@.:_]/)).filter((token) => token !== '');
  return words.length === 0 ? 0 : words.filter((word) => WORD.test(word)).length / words.length;
}
