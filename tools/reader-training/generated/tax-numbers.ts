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

const MAKERS: Readonly<Record<Country, (draw: Draw) => string>> = {
  IL: (draw) => valid(draw, () => `5${draw.digits(8)}`, isIsraeli),
  GB: (draw) => valid(draw, () => `GB${draw.digits(9)}`),
  IE: (draw) => `IE${draw.digits(7)}${draw.one(['A', 'H', 'K', 'TH', 'W'])}`,
  US: (draw) => `${draw.digits(2)}-${draw.digits(7)}`,
  AU: (draw) => valid(draw, () => draw.digits(11)),
  DE: (draw) => valid(draw, () => `DE${draw.digits(9)}`),
  AT: (draw) => valid(draw, () => `ATU${draw.digits(8)}`),
  FR: frenchNumber,
  BE: (draw) => valid(draw, () => `BE0${draw.digits(9)}`),
  NL: (draw) => valid(draw, () => `NL${draw.digits(9)}B0${draw.whole(1, 3)}`),
  ES: (draw) => valid(draw, () => `${draw.one(['A', 'B'])}${draw.digits(8)}`),
  IT: (draw) => valid(draw, () => `IT0${draw.digits(10)}`),
};

/** Returns an invented tax number with a valid check digit, as the country's businesses print it, without spaces. */
export const taxNumber = (country: Country, draw: Draw): string => MAKERS[country](draw);

const group = (text: string, sizes: readonly number[]): string => {
  let from = 0;
  const parts = sizes.map((size) => text.slice(from, (from += size)));
  return [...parts, text.slice(from)].filter((part) => part !== '').join(' ');
};

/** The spellings of each country. Countries without an entry have one. */
const SPELLINGS: Readonly<Partial<Record<Country, (number: string) => readonly string[]>>> = {
  IL: (number) => [
    number,
    number,
    `${number.slice(0, 2)}-${number.slice(2, 8)}-${number.slice(8)}`,
    `IL${number}`,
  ],
  GB: (number) => [number, `GB ${group(number.slice(2), [3, 4])}`],
  AU: (number) => [group(number, [2, 3, 3]), number],
  DE: (number) => [`DE ${group(number.slice(2), [3, 3])}`, number, number],
  FR: (number) => [`FR ${number.slice(2, 4)} ${group(number.slice(4), [3, 3])}`, number, number],
  BE: (number) => [`BE ${number.slice(2, 6)}.${number.slice(6, 9)}.${number.slice(9)}`, number],
  NL: (number) => [
    `NL ${number.slice(2, 6)}.${number.slice(6, 8)}.${number.slice(8, 11)}.${number.slice(11)}`,
    number,
    number,
  ],
  ES: (number) => [number, `${number.slice(0, 1)}-${number.slice(1)}`, `ES${number}`],
  IT: (number) => [number.slice(2), number],
};

/** Returns the number as a writer prints it: in groups, or with or without the prefix of the country. */
export function printedTaxNumber(country: Country, number: string, style: number): string {
  const spellings = SPELLINGS[country]?.(number) ?? [number];
  return spellings[style % spellings.length] ?? number;
}

/** All spellings of a number that a reader may return. */
export const acceptedTaxNumbers = (country: Country, number: string): string[] =>
  country === 'ES'
    ? [number, `ES${number}`]
    : /^(?:IT|GB)/.test(number)
      ? [number, number.slice(2)]
      : [number];
