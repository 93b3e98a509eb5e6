import { type Decimal, decimal, sum, toMoney, toWhole } from '@counterfoil/kernel';

export interface Line {
  readonly quantity: number;
  readonly unitPrice: number;
  /** In percent, 0 to 100. */
  readonly discountPercent: number;
  /** In percent: 18, not 0.18. */
  readonly vatRate: number;
}

export interface Totals {
  readonly lineTotals: readonly number[];
  readonly amount: number;
  readonly tax: number;
  readonly totalWithTax: number;
}

/** `round`: the total is rounded half up to whole units of the currency, but never to 0. */
export type TotalRounding = 'round' | 'none';

/**
 * Computes the totals of a document, exact to the agora. Each line is rounded to agorot. VAT is computed and
 * rounded once for all lines of one rate. So the printed lines add up to the amount, and amount and tax add
 * up to the total before it is rounded. Rounding the total never changes the VAT.
 */
export function totalsOf(lines: readonly Line[], rounding: TotalRounding): Totals {
  const lineTotals = lines.map(lineTotal);
  const amount = toMoney(sum(lineTotals));
  const items = lines.map(({ vatRate }, index) => ({ vatRate, lineTotal: lineTotals[index] ?? 0 }));
  const tax = toMoney(sum(vatByRate(items).map((vat) => vat.tax)));
  const exact = sum([amount, tax]);
  const whole = rounding === 'round' ? toWhole(exact) : 0;
  return { lineTotals, amount, tax, totalWithTax: whole === 0 ? toMoney(exact) : whole };
}

/** Returns the rounding of the total: the total minus amount and tax. */
export function roundingOf({ amount, tax, totalWithTax }: Omit<Totals, 'lineTotals'>): number {
  return (agorot(totalWithTax) - agorot(amount) - agorot(tax)) / 100;
}

/** Converts to an integer, which a double represents exactly. */
function agorot(amount: number): number {
  return Math.round(amount * 100);
}

function lineTotal({ quantity, unitPrice, discountPercent }: Line): number {
  // Multiplying by 0.01 is exact; a division would be rounded.
  const payable = decimal(100).minus(discountPercent).times(0.01);
  return toMoney(decimal(quantity).times(unitPrice).times(payable));
}

/** The VAT of all lines with one rate. */
export interface VatOfRate {
  /** In percent. */
  readonly rate: number;
  /** The total of the lines before VAT. */
  readonly base: number;
  readonly tax: number;
}

/** Returns the VAT of each rate, in the order in which the rates occur. */
export function vatByRate(
  items: readonly { readonly vatRate: number; readonly lineTotal: number }[],
): VatOfRate[] {
  const netByRate = new Map<number, Decimal>();
  for (const { vatRate, lineTotal } of items)
    netByRate.set(vatRate, (netByRate.get(vatRate) ?? decimal(0)).plus(lineTotal));
  return [...netByRate].map(([rate, net]) => ({
    ...{ rate, base: toMoney(net) },
    tax: toMoney(net.times(rate).times(0.01)),
  }));
}
