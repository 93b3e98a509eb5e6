import { withoutBankAccounts } from './bank-account-numbers';

/** Range of the first four digits of a network's card numbers, and their lengths. */
const NETWORKS: readonly (readonly [name: string, from: number, to: number, lengths: readonly number[]])[] = [
  ['Visa', 4000, 4999, [13, 16, 19]],
  ['Mastercard', 5100, 5599, [16]],
  ['Mastercard', 2221, 2720, [16]],
  ['American Express', 3400, 3499, [15]],
  ['American Express', 3700, 3799, [15]],
  ['Discover', 6011, 6011, [16, 19]],
  ['Discover', 6440, 6599, [16, 19]],
  ['Diners Club', 3000, 3059, [14]],
  ['Diners Club', 3600, 3699, [14]],
  ['Diners Club', 3800, 3999, [14]],
  ['JCB', 3528, 3589, [16, 19]],
  ['UnionPay', 6200, 6299, [16, 17, 18, 19]],
  ['Maestro', 5000, 5099, [16, 18, 19]],
  ['Maestro', 5600, 5899, [16, 18, 19]],
  ['Maestro', 6300, 6399, [16, 18, 19]],
  ['Maestro', 6700, 6799, [16, 18, 19]],
];

const LENGTH_MIN = 13;
const SEPARATOR = String.raw`[^\p{L}\p{N}]{1,3}`;
/**
 * The notations of a card number: without separators, in the groups that are embossed on cards, in groups of
 * four, or digit by digit, always with the same separator. The lookahead finds overlapping matches, so that
 * one candidate does not hide another.
 */
const SHAPES = [
  new RegExp(String.raw`(?<!\d)(?=(\d{13,19})(?!\d))`, 'gu'),
  new RegExp(String.raw`(?<!\d)(?=(\d{4}(${SEPARATOR})\d{4}\2\d{4}\2\d{1,4})(?!\d))`, 'gu'),
  new RegExp(String.raw`(?<!\d)(?=(\d{4}(${SEPARATOR})\d{4}\2\d{4}\2\d{4}\2\d{1,3})(?!\d))`, 'gu'),
  new RegExp(String.raw`(?<!\d)(?=(\d{4}(${SEPARATOR})\d{6}\2\d{4,5})(?!\d))`, 'gu'),
  new RegExp(String.raw`(?<!\d)(?=(\d(${SEPARATOR})\d(?:\2\d){11,17}))`, 'gu'),
];

const UUID = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/gi;

/**
 * Detects a card number in a text: digits with the prefix, length and check digit of a card network (ISO/IEC
 * 7812). Only payment providers may receive card numbers. A looser rule would match adjacent dates, amounts
 * and phone numbers.
 */
export function holdsCardNumber(text: string): boolean {
  // Fast path for nearly every text, and then for those with an id.
  if (hasTooFewDigits(text)) return false;
  // Groups of digits in ids and bank account numbers look like card numbers now and then.
  const plain = withoutBankAccounts(inPlainCharacters(text).replace(UUID, 'uuid'));
  if (hasTooFewDigits(plain)) return false;
  return SHAPES.some((shape) => [...plain.matchAll(shape)].some(([, found = '']) => beginsWithOne(found)));
}

function hasTooFewDigits(text: string): boolean {
  return (text.match(/\p{N}/gu)?.length ?? 0) < LENGTH_MIN;
}

/** Printable ASCII in which no blank follows another. */
const PLAIN = /^(?:[!-~]| (?! ))*$/;

/**
 * Maps digits of any script to ASCII, white space to one blank and dashes to hyphens; removes invisible
 * characters.
 */
function inPlainCharacters(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .replace(/[\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/\p{Pd}/gu, '-')
    .replace(/(?![0-9])\p{N}/gu, plainDigit);
}

/**
 * The decimal digits of a script have consecutive code points from its zero on. NFKC maps others, such as
 * circled digits, to ASCII.
 */
function plainDigit(character: string): string {
  const compatible = character.normalize('NFKC');
  if (/^[0-9]$/.test(compatible) || !/^\p{Nd}$/u.test(compatible)) return compatible;
  const code = compatible.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++;
  return String(value);
}

/**
 * Only the digit-by-digit notation may have more digits after the card number, so there every prefix is
 * checked.
 */
function beginsWithOne(found: string): boolean {
  const digits = found.replace(/\D/g, '');
  const isOneByOne = /^\d\D+\d(?!\d)/.test(found);
  const shortest = isOneByOne ? LENGTH_MIN : digits.length;
  for (let length = shortest; length <= digits.length; length++) {
    const number = digits.slice(0, length);
    if (isOfNetwork(number) && luhnSumOf(number) % 10 === 0) return true;
  }
  return false;
}

function isOfNetwork(digits: string): boolean {
  const prefix = Number(digits.slice(0, 4));
  return NETWORKS.some(
    ([, from, to, lengths]) => from <= prefix && prefix <= to && lengths.includes(digits.length),
  );
}

/** A loop without a list of the digits, because a hostile text has thousands of candidates. */
function luhnSumOf(digits: string): number {
  let sum = 0;
  for (let fromEnd = 0; fromEnd < digits.length; fromEnd++) {
    const value = Number(digits[digits.length - 1 - fromEnd]) * (fromEnd % 2 === 0 ? 1 : 2);
    sum += value > 9 ? value - 9 : value;
  }
  return sum;
}
