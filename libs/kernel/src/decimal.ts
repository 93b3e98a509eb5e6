import Big from 'big.js';

/**
 * Exact decimals (decisions §1, §12). A value is held as a JavaScript number, because every number within the
 * limits below has at most 15 significant digits and so survives the trip through a double unchanged; every
 * calculation is made in decimal and rounded back to a scale at its end.
 */
export type Decimal = Big;

/** Decimal places of money (agorot). */
export const MONEY_SCALE = 2;
/** Decimal places of unit prices, quantities and rates. */
export const FINE_SCALE = 4;
/** Decimals of fewer digits than this has are each named by one double. */
const EXACT_DIGITS_MAX = 1e15;
/** The largest amount of money: 12 digits before the point. */
export const MONEY_MAX = 999_999_999_999.99;
/** The largest quantity or unit price: 10 digits before the point. */
export const FINE_MAX = 9_999_999_999.9999;

export function decimal(value: number): Decimal {
  return new Big(value);
}

/** Whether a number has at most `scale` decimals, so that storing it loses nothing. */
export function hasScale(value: number, scale: number): boolean {
  if (!Number.isFinite(value)) return false;
  // The quick way for nearly all values: a quotient of such integers is the double that names the decimal, exactly.
  const scaled = Math.round(value * 10 ** scale);
  if (Math.abs(scaled) < EXACT_DIGITS_MAX && scaled / 10 ** scale === value) return true;
  return decimal(value).round(scale, Big.roundDown).eq(value);
}

/** Rounds to money, half away from zero: 0.125 is 0.13, -0.125 is -0.13. */
export function toMoney(value: Decimal): number {
  return roundTo(value, MONEY_SCALE);
}

/** Rounds to a whole number, half away from zero. */
export function toWhole(value: Decimal): number {
  return roundTo(value, 0);
}

/** Rounds to the scale of unit prices and quantities, half away from zero. */
export function toFine(value: Decimal): number {
  return roundTo(value, FINE_SCALE);
}

/** The exact sum of numbers: 0.1 and 0.2 make 0.3. */
export function sum(values: Iterable<number>): Decimal {
  let total = new Big(0);
  for (const value of values) total = total.plus(value);
  return total;
}

function roundTo(value: Decimal, scale: number): number {
  // Big keeps the sign of zero; a total of -0 would be sent as 0 but compare unequal to it.
  return value.round(scale, Big.roundHalfUp).toNumber() + 0;
}
