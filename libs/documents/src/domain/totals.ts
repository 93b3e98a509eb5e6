import { type Decimal, decimal, sum, toMoney, toWhole } from '@counterfoil/kernel';

export interface Line {
  readonly quantity: number;
  readonly unitPrice: number;
  /** Percent, 0-100. */
  readonly discountPercent: number;
  /** Percent: 18, not 0.18. */
  readonly vatRate: number;
}

export interface Totals {
  readonly lineTotals: readonly number[];
  readonly amount: number;
  readonly tax: number;
  readonly totalWithTax: number;
}

/** Whether the total is rounded to whole units of the currency, half a unit up; never to nothing. */
export type TotalRounding = 'round' | 'none';

/**
 * A document's totals, exact to the agora. Each line is rounded to agorot; VAT is computed once for all lines of
 * one rate, on their sum, and rounded; so the printed lines add up to the printed amount, and amount and tax to
 * the total, but for the rounding of the total itself. VAT is never changed by it.
 */
export function totalsOf(lines: readonly Line[], rounding: TotalRounding): Totals {
  const lineTotals = lines.map(lineTotal);
  const amount = toMoney(sum(lineTotals));
  const tax = toMoney(sum(taxesByRate(lines, lineTotals)));
  const exact = sum([amount, tax]);
  const whole = rounding === 'round' ? toWhole(exact) : 0;
  return { lineTotals, amount, tax, totalWithTax: whole === 0 ? toMoney(exact) : whole };
}

/** By how much the total was rounded: what amount and tax lack of it, negative where they exceed it. */
export function roundingOf({ amount, tax, totalWithTax }: Omit<Totals, 'lineTotals'>): number {
  return (agorot(totalWithTax) - agorot(amount) - agorot(tax)) / 100;
}

/** Money as a whole number, which a double holds exactly. */
function agorot(amount: number): number {
  return Math.round(amount * 100);
}

function lineTotal({ quantity, unitPrice, discountPercent }: Line): number {
  // Divided by moving the point, in the multiplication: a division would have to be rounded.
  const payable = decimal(100).minus(discountPercent).times(0.01);
  return toMoney(decimal(quantity).times(unitPrice).times(payable));
}

function taxesByRate(lines: readonly Line[], lineTotals: readonly number[]): number[] {
  const netByRate = new Map<number, Decimal>();
  for (const [index, { vatRate }] of lines.entries()) {
    netByRate.set(vatRate, (netByRate.get(vatRate) ?? decimal(0)).plus(lineTotals[index] ?? 0));
  }
  return [...netByRate].map(([rate, net]) => toMoney(net.times(rate).times(0.01)));
}
