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
  const { taxes, taxIncluded, locale } = facts;
  const taxRows = taxes.map(({ rate, tax }) =>
    row(writer.taxLabel(locale, rate, taxIncluded ? 'includedTax' : 'tax'), tax),
  );
  const before = [
    ...extraRows(facts, writer, row),
    ...(taxIncluded ? [] : taxRows),
    ...lateRows(facts, writer, row),
  ];
  const included = taxIncluded ? taxRows : [];
  const paid = paymentRows(facts, writer, row);
  const total = row(writer.say('total'), facts.total, true);
  return [...before, total, ...(writer.labelFirst ? [...included, ...paid] : [...paid, ...included])];
}

type ToRow = (label: string, cents: number) => SumRow;

/** Returns the discount and the subtotal, which a receipt has if the total differs from the sum of its items. */
function extraRows(facts: Facts, writer: Writer, row: ToRow): SumRow[] {
  const { discount, tip, rounding, taxIncluded } = facts;
  if (tip === 0 && rounding === 0 && discount === 0 && taxIncluded) return [];
  const items = facts.items.reduce((sum, { amount }) => sum + amount, 0);
  const reduced = discount > 0 ? [row(writer.say('discount'), -discount)] : [];
  return [...reduced, row(subtotalLabel(writer), items - discount)];
}

function lateRows({ tip, rounding }: Facts, writer: Writer, row: ToRow): SumRow[] {
  const tips = tip === 0 ? [] : [row(writer.say('tip'), tip)];
  return rounding === 0 ? tips : [...tips, row(writer.say('rounding'), rounding)];
}

function paymentRows({ cash, total }: Facts, writer: Writer, row: ToRow): SumRow[] {
  if (cash === 0) return [row(writer.say('card'), total)];
  return [row(writer.say('cash'), cash), row(writer.say('change'), cash - total)];
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
