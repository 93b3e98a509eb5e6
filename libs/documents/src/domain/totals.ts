import { type Decimal, decimal, sum, toMoney } from '@counterfoil/kernel';

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

/**
 * A document's totals, exact to the agora. Each line is rounded to agorot; VAT is computed once for all lines of
 * one rate, on their sum, and rounded; so the printed lines add up to the printed amount, and amount and tax to
 * the total.
 */
export function totalsOf(lines: readonly Line[]): Totals {
  const lineTotals = lines.map(lineTotal);
  const amount = toMoney(sum(lineTotals));
  const tax = toMoney(sum(taxesByRate(lines, lineTotals)));
  return { lineTotals, amount, tax, totalWithTax: toMoney(sum([amount, tax])) };
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
