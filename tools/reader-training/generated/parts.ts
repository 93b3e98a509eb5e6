import type { Board, TextStyle } from './board';
import type { Business } from './businesses';
import type { Draw } from './draw';
import type { Facts } from './facts';
import { money, printedDate, signOf } from './formats';
import type { SumRow } from './sums';
import { printedTaxNumber } from './tax-numbers';
import type { Writer } from './writers';

/** The input of a family: a board, the content, and its writer. */
export interface Sheet {
  readonly board: Board;
  readonly facts: Facts;
  readonly writer: Writer;
  readonly draw: Draw;
}

export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** A label and its value. */
export type Fact = readonly [label: string, value: string];

/** Puts texts below each other and returns the baseline after the last one. */
export function column(
  { board }: Sheet,
  texts: readonly string[],
  { x, y }: Area,
  style: TextStyle = {},
): number {
  const size = style.size ?? 10;
  let at = y;
  for (const text of texts) {
    board.put(text, x, at, style);
    at += size * 1.35;
  }
  return at;
}

export const spaced = (text: string): string =>
  [...text].map((letter) => (letter === ' ' ? '  ' : letter)).join(' ');

/** Returns the seller's name as the writer sets it. */
export function nameOf({ facts: { seller }, writer }: Sheet): string {
  return writer.capitals ? seller.name.toLocaleUpperCase(writer.language) : seller.name;
}

export const title = ({ facts: { kind }, writer }: Sheet): string => writer.say(kind);

export function taxIdLine({ facts: { locale, seller }, writer }: Sheet): string {
  const printed = printedTaxNumber(locale.country, seller.taxId, writer.taxIdStyle);
  return writer.pair(writer.taxIdLabel(locale), printed);
}

export const phoneLine = ({ writer }: Sheet, business: Business): string =>
  writer.pair(writer.say('phone'), business.phone);

export const emailLine = ({ writer }: Sheet, business: Business): string =>
  writer.pair(writer.say('email'), business.email);

export const addressOf = ({ street, city }: Business): string[] => [street, city];

/** Returns the lines of the customer, with a tax number or a name to the attention of at times. */
export function customerLines({ facts: { buyer }, writer, draw }: Sheet): string[] {
  const taxed = draw.chance(0.25);
  const number = printedTaxNumber(buyer.locale.country, buyer.taxId, writer.taxIdStyle + 1);
  return [
    buyer.name,
    ...addressOf(buyer),
    ...(taxed ? [writer.pair(writer.say('customerTaxId'), number)] : []),
  ];
}

/** Returns the facts at the head: the number, the date, and others at times. */
export function headFacts({ facts, writer, draw }: Sheet): Fact[] {
  const date = (value: string): string => printedDate(value, facts.locale, writer);
  const label =
    facts.kind === 'credit' ? 'creditNumber' : facts.kind === 'receipt' ? 'receiptNumber' : 'number';
  const all: Fact[] = [
    [writer.say(label), facts.number],
    [writer.say('date'), date(facts.date)],
  ];
  if (draw.chance(0.25)) all.reverse();
  if (facts.kind === 'receipt') return all;
  if (draw.chance(0.5)) all.push([writer.say('due'), date(facts.due)]);
  if (draw.chance(0.25)) all.push([writer.say('delivered'), date(facts.delivered)]);
  if (draw.chance(0.35))
    all.splice(draw.whole(0, all.length), 0, [writer.say('customerNo'), facts.customerNo]);
  if (draw.chance(0.3)) all.splice(draw.whole(0, all.length), 0, [writer.say('order'), facts.order]);
  return all;
}

/** Puts each label and its value in one text. */
export const factLines = (sheet: Sheet, facts: readonly Fact[]): string[] =>
  facts.map(([label, value]) => sheet.writer.pair(label, value));

/** Puts labels in one column and their values in another. */
export function factGrid(
  { board, writer }: Sheet,
  facts: readonly Fact[],
  { x, y, width }: Area,
  size = 10,
): number {
  let at = y;
  for (const [label, value] of facts) {
    const bare = label.replace(/[\s:]+$/, '');
    board.put(/[.#°º']$/.test(bare) ? bare : `${bare}${writer.colon.trim()}`, x, at, { size });
    if (writer.labelFirst) board.put(value, x + width * 0.55, at, { size });
    else board.put(value, x + width, at, { size, align: 'end' });
    at += size * 1.4;
  }
  return at;
}

/** Puts labels in one row and their values in the row below. */
export function factRow({ board }: Sheet, facts: readonly Fact[], { x, y, width }: Area, size = 9): number {
  const step = width / Math.max(facts.length, 1);
  facts.forEach(([label, value], index) => {
    board.put(label, x + index * step, y, { size: size - 1 });
    board.put(value, x + index * step, y + size * 1.5, { size, bold: true });
  });
  return y + size * 3.2;
}

const amountIn = ({ facts, writer }: Sheet, cents: number): string =>
  money(cents, facts.locale, writer, writer.signs === 'all');

/** Puts the items in columns, with a heading, and returns the baseline after the last one. */
export function itemTable(
  sheet: Sheet,
  { x, y, width }: Area,
  options: { headed?: boolean; size?: number } = {},
): number {
  const { board, facts, writer } = sheet;
  const { headed = true, size = 9.5 } = options;
  const columns = [
    { head: writer.say('item'), place: 0, of: (index: number) => facts.items[index]?.name ?? '' },
    {
      head: writer.say('quantity'),
      place: 0.52,
      of: (index: number) => String(facts.items[index]?.quantity ?? ''),
    },
    {
      head: writer.say('price'),
      place: 0.68,
      of: (index: number) => amountIn(sheet, facts.items[index]?.price ?? 0),
    },
    {
      head: writer.say('rate'),
      place: 0.8,
      of: (index: number) => `${writer.rate(facts.items[index]?.rate ?? 0)}%`,
    },
    {
      head: writer.say('amount'),
      place: 1,
      of: (index: number) => amountIn(sheet, facts.items[index]?.amount ?? 0),
    },
  ];
  const kept = { 2: [0, 4], 3: [0, 1, 4], 4: [0, 1, 2, 4], 5: [0, 1, 2, 3, 4] }[writer.columns];
  const shown = columns.filter((_, index) => kept.includes(index));
  const put = (text: string, place: number, at: number, bold: boolean): void =>
    board.put(text, x + place * width, at, { size, bold, align: place === 0 ? 'start' : 'end' });
  let at = y;
  if (headed) {
    for (const { head, place } of shown) put(head, place, at, true);
    if (writer.lines) board.rule(x, at + size * 0.5, width);
    at += size * 1.8;
  }
  facts.items.forEach((_, index) => {
    for (const { place, of } of shown) put(of(index), place, at, false);
    at += size * 1.55;
  });
  if (writer.lines) board.rule(x, at - size * 0.9, width);
  return at + size * 0.6;
}

/** Puts the sums below each other: the labels at the start, the amounts at the end of the area. */
export function sumRows({ board }: Sheet, rows: readonly SumRow[], { x, y, width }: Area, size = 10): number {
  let at = y;
  for (const { label, amount, strong } of rows) {
    const style = { size: strong ? size * 1.15 : size, bold: strong };
    board.put(label, x, at, style);
    board.put(amount, x + width, at, { ...style, align: 'end' });
    at += size * 1.55;
  }
  return at;
}

/** Puts a table of the taxes: rate, net amount, tax and gross amount of each. */
export function taxTable(sheet: Sheet, { x, y, width }: Area, size = 8.5): number {
  const { board, facts, writer } = sheet;
  const heads = [
    writer.say('taxSummary'),
    writer.say('net'),
    facts.locale.taxWord ?? writer.say('rate').replace('%', '').trim(),
    writer.say('total'),
  ];
  const put = (texts: readonly string[], at: number, bold: boolean): void =>
    texts.forEach((text, index) =>
      board.put(text, x + (width * (index + (index === 0 ? 0 : 1))) / 4, at, {
        size,
        bold,
        align: index === 0 ? 'start' : 'end',
      }),
    );
  put(heads, y, true);
  let at = y + size * 1.6;
  for (const { rate, base, tax } of facts.taxes) {
    put(
      [`${writer.rate(rate)}%`, amountIn(sheet, base), amountIn(sheet, tax), amountIn(sheet, base + tax)],
      at,
      false,
    );
    at += size * 1.5;
  }
  return at + size;
}

/** Returns the name of the currency if the writer prints no signs with the amounts. */
export function currencyNote({ facts, writer }: Sheet): string[] {
  if (writer.signs !== 'none') return [];
  const sign = signOf(facts.locale, writer);
  return [`(${/^[A-Z]{3}$/.test(sign) ? sign : facts.locale.currency})`];
}
