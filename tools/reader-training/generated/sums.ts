import type { Facts } from './facts';
import { money } from './formats';
import type { Writer } from './writers';

/** A row of the sums below the items. */
export interface SumRow {
  readonly label: string;
  readonly amount: string;
  /** True for the total. */
  readonly strong: boolean;
}

const print = (cents: number, { locale }: Facts, writer: Writer, strong = false): string =>
  money(cents, locale, writer, writer.signs === 'all' || (writer.signs === 'totals' && strong));

/** Returns the rows of an invoice: the net amount, the taxes, the total, and what is left to pay. */
export function invoiceSums(facts: Facts, writer: Writer): SumRow[] {
  const sign = facts.kind === 'credit' && writer.numberStyle % 2 === 0 ? -1 : 1;
  const row = (label: string, cents: number, strong = false): SumRow => ({
    label,
    amount: print(sign * cents, facts, writer, strong),
    strong,
  });
  const rows: SumRow[] = [];
  if (facts.discount > 0) rows.push(row(writer.say('discount'), -facts.discount));
  if (facts.shipping > 0) rows.push(row(writer.say('shipping'), facts.shipping));
  if (facts.taxes.length > 0) rows.push(row(writer.say('net'), facts.net));
  for (const { rate, tax } of facts.taxes) rows.push(row(writer.taxLabel(facts.locale, rate), tax));
  rows.push(row(writer.say('total'), facts.total, true));
  if (facts.deposit > 0) {
    rows.push(row(writer.say('deposit'), -facts.deposit));
    rows.push(row(writer.say('balance'), facts.total - facts.deposit));
  }
  return rows;
}

/** Returns the rows of a receipt: extras, the total, the tax in it, and the payment. */
export function receiptSums(facts: Facts, writer: Writer): SumRow[] {
  const row = (label: string, cents: number, strong = false): SumRow => ({
    label,
    amount: print(cents, facts, writer, strong),
    strong,
  });
  const { taxes, taxIncluded, locale, rounding, tip } = facts;
  const extras = tip !== 0 || rounding !== 0 || facts.discount !== 0 || !taxIncluded;
  const rows: SumRow[] = [];
  const items = facts.items.reduce((sum, { amount }) => sum + amount, 0);
  if (extras && facts.discount > 0) rows.push(row(writer.say('discount'), -facts.discount));
  if (extras) rows.push(row(subtotalLabel(writer), items - facts.discount));
  if (!taxIncluded) for (const { rate, tax } of taxes) rows.push(row(writer.taxLabel(locale, rate), tax));
  if (tip !== 0) rows.push(row(writer.say('tip'), tip));
  if (rounding !== 0) rows.push(row(writer.say('rounding'), rounding));
  rows.push(row(writer.say('total'), facts.total, true));
  const included = taxIncluded
    ? taxes.map(({ rate, tax }) => row(writer.taxLabel(locale, rate, 'includedTax'), tax))
    : [];
  const paid =
    facts.cash > 0
      ? [row(writer.say('cash'), facts.cash), row(writer.say('change'), facts.cash - facts.total)]
      : [row(writer.say('card'), facts.total)];
  return writer.labelFirst ? [...rows, ...included, ...paid] : [...rows, ...paid, ...included];
}

const SUBTOTALS = {
  he: ['סכום ביניים', 'סה"כ ביניים'],
  en: ['Subtotal', 'Sub-total'],
  de: ['Zwischensumme', 'Summe Artikel'],
  fr: ['Sous-total', 'Total articles'],
  nl: ['Subtotaal', 'Totaal artikelen'],
  es: ['Subtotal', 'Suma'],
  it: ['Subtotale', 'Totale parziale'],
} as const;

const subtotalLabel = ({ language, index }: Writer): string => SUBTOTALS[language][index % 2] ?? '';
