/**
 * The VAT numbers of the countries that put their code in front of them, without that code: the member states of the
 * European Union, Great Britain (GB) and Northern Ireland (XI). Greece is EL there, unlike in ISO 3166-1.
 */
const NUMBERS: Readonly<Record<string, RegExp>> = {
  AT: /^U\d{8}$/,
  BE: /^\d{9,10}$/,
  BG: /^\d{9,10}$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^\d{9}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  EL: /^\d{9}$/,
  ES: /^(?:[A-Z]\d{7}[A-Z\d]|\d{8}[A-Z])$/,
  FI: /^\d{8}$/,
  FR: /^[A-Z\d]{2}\d{9}$/,
  GB: /^(?:\d{9}|\d{12}|GD\d{3}|HA\d{3})$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^\d[A-Z\d]\d{5}[A-Z]{1,2}$/,
  IT: /^\d{11}$/,
  LT: /^(?:\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^\d{9}B\d{2}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^\d{2,10}$/,
  SE: /^\d{12}$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/,
  XI: /^(?:\d{9}|\d{12}|GD\d{3}|HA\d{3})$/,
};

/** EN 16931 wants `EL` for Greece, and otherwise codes of ISO 3166-1. */
const prefixOf = (country: string): string => (country === 'GR' ? 'EL' : country);

/**
 * The VAT id of a party by EN 16931: the code of a country, and the number in capital letters without punctuation, spaces
 * and letters of other alphabets, such as a label before it. The code is that of the tax id itself, if it is there, also
 * where the address is in another country, and else that of the address.
 *
 * @returns null for a tax id without a digit
 */
export function vatIdOf(taxId: string | null, country: string): string | null {
  const number = compact(taxId ?? '');
  if (!/\d/.test(number)) return null;
  const [code, rest] = [prefixOf(number.slice(0, 2)), number.slice(2)];
  const own = prefixOf(country);
  // A number that is complete without a code may begin with letters that look like one.
  if (NUMBERS[own]?.test(number)) return `${own}${number}`;
  const isPrefixed = code === own || (NUMBERS[code]?.test(rest) ?? false);
  return isPrefixed ? `${code}${rest}` : `${own}${number}`;
}

/** Wide letters and digits become ordinary ones, and so do the digits of Arabic texts. */
function compact(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String((digit.codePointAt(0) ?? 0) % 16))
    .toUpperCase()
    .replaceAll(/[^A-Z\d]/g, '');
}
