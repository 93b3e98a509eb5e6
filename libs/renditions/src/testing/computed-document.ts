import type { PrintableDocument, PrintableItem, PrintableVat } from '../application/ports/printable-document';
import { aPrintableDocument } from './a-printable-document';

export type NewItem = Partial<Omit<PrintableItem, 'lineTotal'>> & { readonly description: string };
export type Overrides = Parameters<typeof aPrintableDocument>[0] & { readonly lines?: readonly NewItem[] };

/** A document whose totals are those of its lines, as the service computes them. Without lines it has no items. */
export function computedDocument({ lines = [], ...overrides }: Overrides): PrintableDocument {
  const items = lines.map(itemOf);
  const vatByRate = vatOf(items);
  const amount = sumOf(items.map(({ lineTotal }) => lineTotal));
  const tax = sumOf(vatByRate.map((vat) => vat.tax));
  const { rounding = 0 } = overrides;
  const totals = { amount, tax, totalWithTax: money(amount + tax + rounding) };
  return aPrintableDocument({ items, vatByRate, rounding, ...totals, ...overrides });
}

function itemOf(line: NewItem): PrintableItem {
  const item = { quantity: 1, unitPrice: 100, discountPercent: 0, vatRate: 18, ...line };
  return {
    ...item,
    lineTotal: money(item.quantity * item.unitPrice * (1 - item.discountPercent / 100)),
  };
}

function vatOf(items: readonly PrintableItem[]): PrintableVat[] {
  const rates = [...new Set(items.map(({ vatRate }) => vatRate))].sort((one, other) => other - one);
  return rates.map((rate) => {
    const base = sumOf(items.filter(({ vatRate }) => vatRate === rate).map(({ lineTotal }) => lineTotal));
    return { rate, base, tax: money((base * rate) / 100) };
  });
}

const money = (value: number): number => Math.round(value * 100) / 100;
const sumOf = (values: readonly number[]): number => money(values.reduce((sum, value) => sum + value, 0));
