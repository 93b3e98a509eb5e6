import type { ReadCharacter } from './ctc';

/** A word as the Hebrew engine read it. Positions are shares of the line's width. */
export interface ReadWord {
  /** In logical order. */
  readonly text: string;
  /** 0 to 1 */
  readonly confidence: number;
  readonly left: number;
  readonly right: number;
  /** In logical order. */
  readonly characters: readonly { readonly text: string; readonly left: number; readonly right: number }[];
}

export interface MergedLine {
  readonly text: string;
  readonly confidence: number;
  /** The same line with the digits of the other engine, if they differ. */
  readonly alternative?: string;
}

const HEBREW = /[\u05d0-\u05ea]/;
/** If the mean confidence of the Latin engine is higher, the letters are Latin. */
const LATIN_CONFIDENCE = 0.9;
const HEBREW_CONFIDENCE = 0.85;
/**
 * If the two engines disagree on the number of digits, the digits of the Latin engine count only if each has
 * this confidence.
 */
const SURE = 0.9;

interface Token {
  readonly text: string;
  readonly other: string;
  readonly confidence: number;
  readonly left: number;
  readonly right: number;
}

/**
 * Merges two readings of a line. Hebrew words come from the Hebrew engine. Digits and Latin letters come from
 * the Latin engine if both agree on their number. The result is in reading order, or undefined if the line
 * has no Hebrew.
 * @param slack how far outside a word its characters may lie, as a share of the line's width
 */
export function mergeReadings(
  characters: readonly ReadCharacter[],
  words: readonly ReadWord[],
  slack: number,
): MergedLine | undefined {
  const tokens: Token[] = [];
  let hebrewLetters = 0;
  for (const word of words) {
    const token = mergeWord(characters, word, slack);
    if (token.text === '') continue;
    tokens.push(token);
    hebrewLetters += lettersOf(token.text);
  }
  if (hebrewLetters === 0) return amountInShekels(characters, words);
  tokens.push(...missedNumbers(characters, words, slack));
  const ordered = inReadingOrder(tokens);
  const text = ordered.map((token) => token.text).join(' ');
  const other = ordered.map((token) => token.other).join(' ');
  const confidence = ordered.reduce((sum, token) => sum + token.confidence, 0) / ordered.length;
  return { text, confidence, ...(other !== text && { alternative: other }) };
}

/** The Latin engine does not know the shekel sign and reads a letter instead. */
function amountInShekels(
  characters: readonly ReadCharacter[],
  words: readonly ReadWord[],
): MergedLine | undefined {
  const amount = /^\D{0,2}(-?\d[\d,]*\.\d\d)\D{0,2}$/.exec(textOf(characters).trim())?.[1];
  if (amount === undefined || !words.some(({ text }) => text.includes('₪'))) return undefined;
  return { text: `${amount} ₪`, confidence: meanOf(characters.filter(({ text }) => /[\d.]/.test(text))) };
}

/** Counts the words that are Hebrew with high confidence. */
export function hebrewWordsIn(words: readonly ReadWord[]): number {
  return words.filter(({ text, confidence }) => confidence >= 0.75 && lettersOf(text) >= 3).length;
}

const lettersOf = (text: string) => [...text].filter((letter) => HEBREW.test(letter)).length;
const textOf = (characters: readonly { text: string }[]) => characters.map(({ text }) => text).join('');
const meanOf = (characters: readonly ReadCharacter[]) =>
  characters.reduce((sum, { confidence }) => sum + confidence, 0) / Math.max(1, characters.length);

function within(
  characters: readonly ReadCharacter[],
  { left, right }: { left: number; right: number },
  slack: number,
) {
  return characters.filter(({ position }) => position > left - slack && position < right + slack);
}

function mergeWord(characters: readonly ReadCharacter[], word: ReadWord, slack: number): Token {
  const { left, right } = word;
  const latin = within(characters, word, slack).filter(({ text }) => text !== ' ');
  if (isLatin(latin) && (!HEBREW.test(word.text) || word.confidence < HEBREW_CONFIDENCE)) {
    return { text: textOf(latin), other: word.text, confidence: meanOf(latin), left, right };
  }
  let text = '';
  for (const part of partsOf(word)) text += withDigitsOf(characters, part, slack);
  return { text, other: word.text, confidence: word.confidence, left, right };
}

function isLatin(characters: readonly ReadCharacter[]): boolean {
  const letters = characters.filter(({ text }) => /[A-Za-z]/.test(text));
  return (
    letters.length >= 2 && letters.length >= characters.length / 4 && meanOf(letters) >= LATIN_CONFIDENCE
  );
}

interface Part {
  readonly text: string;
  readonly left: number;
  readonly right: number;
}

/** Splits a word where Hebrew letters and digits meet. */
function partsOf(word: ReadWord): Part[] {
  if (!HEBREW.test(word.text) || !/\d/.test(word.text)) return [word];
  const parts: Part[] = [];
  for (const character of word.characters) {
    const last = parts.at(-1);
    const joins =
      last &&
      !(HEBREW.test(last.text) && /\d/.test(character.text)) &&
      !(/\d/.test(last.text) && HEBREW.test(character.text));
    if (!joins) {
      parts.push(character);
      continue;
    }
    const [left, right] = [Math.min(last.left, character.left), Math.max(last.right, character.right)];
    parts[parts.length - 1] = { text: last.text + character.text, left, right };
  }
  return parts;
}

const BEFORE_CORE = /^[^\p{L}\d]*/u;
const AFTER_CORE = /(?<![^\p{L}\d])[^\p{L}\d]*$/u;

function withDigitsOf(characters: readonly ReadCharacter[], part: Part, slack: number): string {
  if (!/\d/.test(part.text) || HEBREW.test(part.text)) return part.text;
  // The core goes from the first letter or digit to the last. The part contains at least one digit.
  const [before = ''] = BEFORE_CORE.exec(part.text) ?? [];
  const [after = ''] = AFTER_CORE.exec(part.text) ?? [];
  const core = part.text.slice(before.length, part.text.length - after.length);
  const read = trimmed(within(characters, part, slack));
  const text = textOf(read).replaceAll(' ', '');
  if (!/\d/.test(text)) return part.text;
  const isSure = read.every(({ confidence }) => confidence >= SURE);
  return isSure || Math.abs(text.length - core.length) <= 1 ? before + text + after : part.text;
}

function trimmed(characters: readonly ReadCharacter[]): readonly ReadCharacter[] {
  const isCore = ({ text }: ReadCharacter) => /[\p{L}\d]/u.test(text);
  return characters.slice(characters.findIndex(isCore), characters.findLastIndex(isCore) + 1);
}

/** Returns the numbers that the Hebrew engine missed. */
function missedNumbers(
  characters: readonly ReadCharacter[],
  words: readonly ReadWord[],
  slack: number,
): Token[] {
  const isFree = ({ position }: ReadCharacter) =>
    words.every(({ left, right }) => position < left - slack || position > right + slack);
  const runs: ReadCharacter[][] = [];
  let open = false;
  for (const character of characters) {
    const belongs = isFree(character) && character.confidence >= SURE && /[\d.,/:%-]/.test(character.text);
    if (belongs && open) runs.at(-1)!.push(character);
    else if (belongs) runs.push([character]);
    open = belongs;
  }
  return runs
    .map(trimmed)
    .filter((run) => textOf(run).replace(/\D/g, '').length >= 2)
    .map((run) => ({
      text: textOf(run),
      other: textOf(run),
      confidence: meanOf(run),
      left: run[0]!.position,
      right: run.at(-1)!.position,
    }));
}

/** Orders tokens from right to left, but keeps the order of adjacent Latin words. */
function inReadingOrder(tokens: readonly Token[]): Token[] {
  const ordered: Token[] = [];
  let phrase: Token[] = [];
  for (const token of tokens.toSorted((a, b) => b.left + b.right - a.left - a.right)) {
    if (/[A-Za-z]/.test(token.text)) {
      phrase.unshift(token);
      continue;
    }
    ordered.push(...phrase, token);
    phrase = [];
  }
  return [...ordered, ...phrase];
}
