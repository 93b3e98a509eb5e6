import Big from 'big.js';

/**
 * Exact decimals (contract §1.3). Values are stored as JavaScript numbers: within the limits below they have
 * at most 15 significant digits, which a double represents without loss. Calculations use decimals and round
 * once, at the end.
 */
export type Decimal = Big;

/** Decimal places of money (agorot). */
export const MONEY_SCALE = 2;
/** Decimal places of unit prices, quantities and rates. */
export const UNIT_SCALE = 4;
/** Below this, a double represents each integer and each decimal of as many digits uniquely. */
const EXACT_DIGITS_MAX = 1e15;
/** The largest amount of money: 12 digits before the point. */
export const MONEY_MAX = 999_999_999_999.99;
/** The largest quantity or unit price: 10 digits before the point. */
export const UNIT_MAX = 9_999_999_999.9999;

export function decimal(value: number): Decimal {
  return new Big(value);
}

/** Whether a number has at most `scale` decimals. */
export function hasScale(value: number, scale: number): boolean {
  if (!Number.isFinite(value)) return false;
  // Fast path for nearly all values: dividing such integers yields exactly the double of the decimal.
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
export function toUnitScale(value: Decimal): number {
  return roundTo(value, UNIT_SCALE);
}

/** The exact sum of numbers: 0.1 and 0.2 make 0.3. */
export function sum(values: Iterable<number>): Decimal {
  let total = new Big(0);
  for (const value of values) total = total.plus(value);
  return total;
}

function roundTo(value: Decimal, scale: number): number {
  // Adding 0 turns -0, which Big can return, into 0. They are equal in JSON, but not to `Object.is`.
  return value.round(scale, Big.roundHalfUp).toNumber() + 0;
}
