import { isIsraeli, taxIdForm } from '../../../libs/receipt-reader/src/fields/tax-ids';
import type { Draw } from './draw';

export type Country = 'IL' | 'GB' | 'IE' | 'US' | 'AU' | 'DE' | 'AT' | 'FR' | 'BE' | 'NL' | 'ES' | 'IT';

const TRIES_MAX = 2000;

/** Draws numbers until one has a valid check digit. */
function valid(
  draw: Draw,
  make: () => string,
  isValid = (number: string): boolean => taxIdForm(number)?.valid === true,
): string {
  for (let index = 0; index < TRIES_MAX; index++) {
    const number = make();
    if (isValid(number)) return number;
  }
  throw new Error(`no valid number in ${TRIES_MAX} draws: ${make()} ${draw.share()}`);
}

/** Israel and France use the same check digit for nine digits. */
const hasLuhnDigit = isIsraeli;

function frenchNumber(draw: Draw): string {
  const siren = valid(draw, () => draw.digits(9), hasLuhnDigit);
  const key = (12 + 3 * (Number(siren) % 97)) % 97;
  return `FR${String(key).padStart(2, '0')}${siren}`;
}

/** Returns an invented tax number with a valid check digit, as the country's businesses print it, without spaces. */
export function taxNumber(country: Country, draw: Draw): string {
  switch (country) {
    case 'IL':
      return valid(draw, () => `5${draw.digits(8)}`, isIsraeli);
    case 'GB':
      return valid(draw, () => `GB${draw.digits(9)}`);
    case 'IE':
      return `IE${draw.digits(7)}${draw.one(['A', 'H', 'K', 'TH', 'W'])}`;
    case 'US':
      return `${draw.digits(2)}-${draw.digits(7)}`;
    case 'AU':
      return valid(draw, () => draw.digits(11));
    case 'DE':
      return valid(draw, () => `DE${draw.digits(9)}`);
    case 'AT':
      return valid(draw, () => `ATU${draw.digits(8)}`);
    case 'FR':
      return frenchNumber(draw);
    case 'BE':
      return valid(draw, () => `BE0${draw.digits(9)}`);
    case 'NL':
      return valid(draw, () => `NL${draw.digits(9)}B0${draw.whole(1, 3)}`);
    case 'ES':
      return valid(draw, () => `${draw.one(['A', 'B'])}${draw.digits(8)}`);
    case 'IT':
      return valid(draw, () => `IT0${draw.digits(10)}`);
  }
}

const group = (text: string, sizes: readonly number[]): string => {
  let from = 0;
  const parts = sizes.map((size) => text.slice(from, (from += size)));
  return [...parts, text.slice(from)].filter((part) => part !== '').join(' ');
};

/** Returns the number as a writer prints it: in groups, or with or without the prefix of the country. */
export function printedTaxNumber(country: Country, number: string, style: number): string {
  switch (country) {
    case 'IL':
      return (
        [number, number, `${number.slice(0, 2)}-${number.slice(2, 8)}-${number.slice(8)}`, `IL${number}`][
          style % 4
        ] ?? number
      );
    case 'GB':
      return style % 2 === 0 ? number : `GB ${group(number.slice(2), [3, 4])}`;
    case 'AU':
      return style % 2 === 0 ? group(number, [2, 3, 3]) : number;
    case 'DE':
      return style % 3 === 0 ? `DE ${group(number.slice(2), [3, 3])}` : number;
    case 'FR':
      return style % 3 === 0 ? `FR ${number.slice(2, 4)} ${group(number.slice(4), [3, 3])}` : number;
    case 'BE':
      return style % 2 === 0 ? `BE ${number.slice(2, 6)}.${number.slice(6, 9)}.${number.slice(9)}` : number;
    case 'NL':
      return style % 3 === 0
        ? `NL ${number.slice(2, 6)}.${number.slice(6, 8)}.${number.slice(8, 11)}.${number.slice(11)}`
        : number;
    case 'ES':
      return [number, `${number.slice(0, 1)}-${number.slice(1)}`, `ES${number}`][style % 3] ?? number;
    case 'IT':
      return style % 2 === 0 ? number.slice(2) : number;
    default:
      return number;
  }
}

/** All spellings of a number that a reader may return. */
export const acceptedTaxNumbers = (country: Country, number: string): string[] =>
  country === 'ES'
    ? [number, `ES${number}`]
    : /^(?:IT|GB)/.test(number)
      ? [number, number.slice(2)]
      : [number];
