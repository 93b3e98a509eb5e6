import { type Decimal, decimal, toMoney } from '@counterfoil/kernel';

// All stored decimals are shown: a unit price of 0.0125 must not appear as 0.01.
const MONEY = numberFormat(2, 2);
const PRICE = numberFormat(2, 4);
const QUANTITY = numberFormat(0, 4);

export function shownMoney(value: number): string {
  return MONEY.format(value);
}

export function shownPrice(value: number): string {
  return PRICE.format(value);
}

export function shownQuantity(value: number): string {
  return QUANTITY.format(value);
}

export function shownPercent(value: number): string {
  return `${QUANTITY.format(value)}%`;
}

/** The sums of money up to and including each amount. */
export function runningSums(amounts: readonly number[]): number[] {
  const sums: Decimal[] = [];
  for (const amount of amounts) sums.push((sums.at(-1) ?? decimal(0)).plus(amount));
  return sums.map(toMoney);
}

function numberFormat(minimumFractionDigits: number, maximumFractionDigits: number): Intl.NumberFormat {
  return new Intl.NumberFormat('en-US', {
    minimumFractionDigits,
    maximumFractionDigits,
    signDisplay: 'negative',
  });
}
