/** The result of matching a text with the known formats of tax numbers. */
export interface TaxIdForm {
  /** ISO 3166 code of the country that uses the format. */
  readonly country: string;
  /**
   * True if the check digit is valid. undefined if the format has no check digit or its rule is not
   * implemented.
   */
  readonly valid: boolean | undefined;
  /** True if the number contains the country code (DE…, FR…). */
  readonly prefixed: boolean;
}

const digitsOf = (text: string): number[] => [...text].filter((c) => c >= '0' && c <= '9').map(Number);

const weighted = (digits: readonly number[], weights: readonly number[]): number =>
  weights.reduce((sum, weight, index) => sum + weight * (digits[index] ?? 0), 0);

/** Luhn algorithm: Israel, Italy, France, Sweden. */
function luhn(digits: readonly number[]): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = index % 2 === 1 ? digit * 2 : digit;
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** ISO 7064, MOD 11,10: Germany, Croatia. */
function mod1110(digits: readonly number[]): boolean {
  let product = 10;
  for (const digit of digits.slice(0, -1)) {
    const sum = (digit + product) % 10 || 10;
    product = (2 * sum) % 11;
  }
  return (11 - product) % 10 === digits.at(-1);
}

function polish(digits: readonly number[]): boolean {
  return weighted(digits, [6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11 === digits[9];
}

function portuguese(digits: readonly number[]): boolean {
  const rest = 11 - (weighted(digits, [9, 8, 7, 6, 5, 4, 3, 2]) % 11);
  return (rest > 9 ? 0 : rest) === digits[8];
}

function dutch(digits: readonly number[]): boolean {
  return weighted(digits, [9, 8, 7, 6, 5, 4, 3, 2]) % 11 === digits[8];
}

function british(digits: readonly number[]): boolean {
  const sum = weighted(digits, [8, 7, 6, 5, 4, 3, 2]);
  const check = (digits[7] ?? 0) * 10 + (digits[8] ?? 0);
  return (sum + check) % 97 === 0 || (sum + check + 55) % 97 === 0;
}

function belgian(digits: readonly number[]): boolean {
  const text = digits.join('');
  return 97 - (Number(text.slice(0, 8)) % 97) === Number(text.slice(8));
}

function french(text: string): boolean {
  const siren = text.slice(-9);
  const key = (12 + 3 * (Number(siren) % 97)) % 97;
  return luhn(digitsOf(siren)) && Number(text.slice(-11, -9)) === key;
}

function spanish(text: string): boolean {
  const number = text.replace(/^ES/, '');
  const personal = /^[XYZ\d]\d{7}[A-Z]$/.test(number);
  if (personal) {
    const value = Number(number.slice(0, -1).replace(/^[XYZ]/, (c) => String('XYZ'.indexOf(c))));
    return 'TRWAGMYFPDXBNJZSQVHLCKE'[value % 23] === number.at(-1);
  }
  const digits = digitsOf(number.slice(1, 8));
  const sum = digits.reduce((total, digit, index) => {
    const value = index % 2 === 0 ? digit * 2 : digit;
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  const check = (10 - (sum % 10)) % 10;
  return number.at(-1) === String(check) || number.at(-1) === 'JABCDEFGHI'[check];
}

function austrian(digits: readonly number[]): boolean {
  const sum = digits.slice(0, 7).reduce((total, digit, index) => {
    const value = index % 2 === 1 ? digit * 2 : digit;
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return (10 - ((sum + 4) % 10)) % 10 === digits[7];
}

function swiss(digits: readonly number[]): boolean {
  const rest = 11 - (weighted(digits, [5, 4, 3, 2, 7, 6, 5, 4]) % 11);
  return (rest === 11 ? 0 : rest) === digits[8];
}

function australian(digits: readonly number[]): boolean {
  const [first = 0, ...others] = digits;
  return weighted([first - 1, ...others], [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]) % 89 === 0;
}

function turkish(digits: readonly number[]): boolean {
  const sum = digits.slice(0, 9).reduce((total, digit, index) => {
    const shifted = (digit + 9 - index) % 10;
    const power = (shifted * 2 ** (9 - index)) % 9;
    return total + (shifted !== 0 && power === 0 ? 9 : power);
  }, 0);
  return (10 - (sum % 10)) % 10 === digits[9];
}

/** True if nine digits are an Israeli number with a valid check digit. */
export const isIsraeli = (text: string): boolean => luhn(digitsOf(text));

/**
 * Returns the tax number as its country writes it. Israel has no prefix: `IL514…` is `514…`. The prefix of the
 * European Union is part of the number.
 */
export const withoutPrefix = (number: string): string => number.replace(/^IL[ -]?(?=\d{9}$)/i, '');

const onDigits =
  (check: (digits: readonly number[]) => boolean) =>
  (text: string): boolean =>
    check(digitsOf(text));

interface Form {
  readonly country: string;
  readonly pattern: RegExp;
  readonly check?: (text: string) => boolean;
}

/** Formats with a country code in front. */
const PREFIXED: readonly Form[] = [
  { country: 'DE', pattern: /^DE\d{9}$/, check: onDigits(mod1110) },
  { country: 'FR', pattern: /^FR[\dA-Z]{2}\d{9}$/, check: french },
  { country: 'IT', pattern: /^IT\d{11}$/, check: onDigits(luhn) },
  { country: 'ES', pattern: /^ES[A-Z\d]\d{7}[A-Z\d]$/, check: spanish },
  { country: 'NL', pattern: /^NL\d{9}B\d{2}$/, check: onDigits(dutch) },
  { country: 'BE', pattern: /^BE[01]\d{9}$/, check: onDigits(belgian) },
  { country: 'AT', pattern: /^ATU\d{8}$/, check: onDigits(austrian) },
  { country: 'PL', pattern: /^PL\d{10}$/, check: onDigits(polish) },
  { country: 'PT', pattern: /^PT\d{9}$/, check: onDigits(portuguese) },
  { country: 'GB', pattern: /^GB\d{9}(?:\d{3})?$/, check: onDigits(british) },
  { country: 'CH', pattern: /^CHE\d{9}(?:MWST|TVA|IVA)?$/, check: onDigits(swiss) },
  { country: 'EU', pattern: /^(?:LU|FI|DK|HU|MT|SI)\d{8}$/ },
  {
    country: 'EU',
    pattern: /^(?:IE\d[\dA-Z]\d{5}[A-Z]{1,2}|SE\d{12}|EL\d{9}|EE\d{9}|HR\d{11}|LV\d{11}|CY\d{8}[A-Z])$/,
  },
  { country: 'EU', pattern: /^(?:CZ\d{8,10}|SK\d{10}|RO\d{4,10}|BG\d{9,10}|LT\d{9}(?:\d{3})?)$/ },
  { country: 'NO', pattern: /^NO\d{9}(?:MVA)?$/ },
];

const BARE: readonly Form[] = [
  { country: 'MY', pattern: /^00\d{10}$/ },
  { country: 'IL', pattern: /^\d{9}$/, check: onDigits(luhn) },
  { country: 'PT', pattern: /^\d{9}$/, check: onDigits(portuguese) },
  { country: 'GB', pattern: /^\d{9}$/, check: onDigits(british) },
  { country: 'ZA', pattern: /^4\d{9}$/ },
  { country: 'AU', pattern: /^\d{11}$/, check: onDigits(australian) },
  { country: 'IT', pattern: /^\d{11}$/, check: onDigits(luhn) },
  { country: 'PL', pattern: /^\d{10}$/, check: onDigits(polish) },
  { country: 'TR', pattern: /^\d{10}$/, check: onDigits(turkish) },
  { country: 'ES', pattern: /^(?:[ABCDEFGHJNPQRSUVW]\d{7}[\dA-J]|[XYZ\d]\d{7}[A-Z])$/, check: spanish },
  { country: 'IN', pattern: /^\d{2}[A-Z]{5}\d{4}[A-Z]\d[A-Z][\dA-Z]$/ },
  { country: 'FR', pattern: /^\d{14}$/, check: onDigits(luhn) },
  { country: 'MY', pattern: /^[A-Z]\d{14}$/ },
  { country: 'CA', pattern: /^\d{9}RT\d{4}$/ },
  { country: 'SG', pattern: /^(?:\d{9}|M\d{8})[A-Z]$/ },
];

/** A number of a German tax office. Only its slashes identify it, because it has no known check digit. */
const GERMAN_LOCAL = /^\d{2,3}\/\d{3}\/\d{4,5}$/;

/**
 * Returns the tax number format that the text matches. A format with a valid check digit takes precedence.
 */
export function taxIdForm(text: string): TaxIdForm | undefined {
  const compact = text.toUpperCase().replace(/[^A-Z\d]/g, '');
  const fitting = (forms: readonly Form[], prefixed: boolean): TaxIdForm[] =>
    forms
      .filter((form) => form.pattern.test(compact))
      .map((form) => ({ country: form.country, valid: form.check?.(compact), prefixed }));
  if (GERMAN_LOCAL.test(text)) return { country: 'DE', valid: undefined, prefixed: false };
  // Many numbers have ten or eleven digits. A number with an invalid check digit does not match, except for
  // Israel.
  const bare = fitting(BARE, false).filter((form) => form.valid !== false || form.country === 'IL');
  const all = [...fitting(PREFIXED, true), ...bare];
  return all.find((form) => form.valid === true) ?? all[0];
}
