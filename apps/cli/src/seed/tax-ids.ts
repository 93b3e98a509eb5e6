import type { Random } from './random';

const digitsOf = (random: Random, count: number): number[] =>
  Array.from({ length: count }, () => random.int(0, 9));

/** Nine digits with the check digit of Israel (Luhn). */
export function israeliTaxId(random: Random, prefix: string): string {
  const digits = [...[...prefix].map(Number), ...digitsOf(random, 8 - prefix.length)];
  const sum = digits.reduce((total, digit, index) => {
    const value = index % 2 === 1 ? digit * 2 : digit;
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return `${digits.join('')}${(10 - (sum % 10)) % 10}`;
}

/** A VAT number of the United Kingdom: seven digits with the remainder of 97. */
export function britishVatId(random: Random): string {
  const digits = digitsOf(random, 7);
  const sum = digits.reduce((total, digit, index) => total + digit * (8 - index), 0);
  return `GB${digits.join('')}${String(97 - (sum % 97)).padStart(2, '0')}`;
}

/** A VAT number of Germany: ISO 7064, MOD 11,10. */
export function germanVatId(random: Random): string {
  const digits = [random.int(1, 9), ...digitsOf(random, 7)];
  const product = digits.reduce((before, digit) => (2 * ((digit + before) % 10 || 10)) % 11, 10);
  return `DE${digits.join('')}${(11 - product) % 10}`;
}
