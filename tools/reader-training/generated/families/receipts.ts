import {
  addressOf,
  column,
  currencyNote,
  emailLine,
  factLines,
  headFacts,
  nameOf,
  phoneLine,
  sumRows,
  taxIdLine,
  taxTable,
  title,
  type Sheet,
} from '../parts';
import { money, printedDate } from '../formats';
import { receiptSums } from '../sums';
import type { Family, Form } from './family';

const PAPER_FORMS: readonly Form[] = ['image', 'image', 'image', 'scan', 'pdf', 'pdf', 'text', 'html'];
const MAIL_FORMS: readonly Form[] = ['html', 'html', 'html', 'text', 'pdf'];

const receipt = (name: string, width: number, draw: (sheet: Sheet) => void, forms = PAPER_FORMS): Family => ({
  name,
  kinds: ['receipt'],
  forms,
  width,
  height: 300,
  draw,
});

const time = ({ draw }: Sheet): string =>
  `${String(draw.whole(7, 22)).padStart(2, '0')}:${String(draw.whole(0, 59)).padStart(2, '0')}`;
const priced = ({ facts, writer }: Sheet, cents: number): string =>
  money(cents, facts.locale, writer, writer.signs === 'all');

function itemRows(sheet: Sheet, y: number, width: number, multiplied: boolean): number {
  const { board, facts } = sheet;
  let at = y;
  for (const { name, quantity, price, amount } of facts.items) {
    const counted = quantity > 1 && !multiplied ? `${quantity} ${name}` : name;
    board.put(counted, 14, at, { size: 9 });
    if (quantity > 1 && multiplied) {
      at += 12;
      board.put(`${quantity} x ${priced(sheet, price)}`, 24, at, { size: 9 });
    }
    board.put(priced(sheet, amount), width - 14, at, { size: 9, align: 'end' });
    at += 12.5;
  }
  return at + 4;
}

const sums = (sheet: Sheet, y: number, width: number): number =>
  sumRows(sheet, receiptSums(sheet.facts, sheet.writer), { x: 14, y, width: width - 28 }, 9.5);

/** Name and address centred on top, the number and the date at the end. */
const till = receipt('till', 230, (sheet) => {
  const { board, facts, writer } = sheet;
  const style = { align: 'middle', size: 9 } as const;
  board.put(writer.numberStyle % 2 === 0 ? facts.seller.brand : nameOf(sheet), 115, 26, {
    ...style,
    size: 13,
    bold: true,
  });
  const brand = writer.numberStyle % 2 === 0 ? [facts.seller.name] : [];
  const head = column(
    sheet,
    [...brand, ...addressOf(facts.seller), phoneLine(sheet, facts.seller), taxIdLine(sheet)],
    { x: 115, y: 42, width: 0 },
    style,
  );
  board.rule(14, head, 202);
  const items = itemRows(sheet, head + 16, 230, false);
  board.rule(14, items - 8, 202);
  const noted = column(sheet, currencyNote(sheet), { x: 14, y: items + 4, width: 0 }, { size: 9 });
  const end = sums(sheet, noted, 230);
  const foot = [
    ...factLines(sheet, headFacts(sheet)),
    `${writer.say('clerk')} ${facts.customerNo.slice(0, 2)}  ${time(sheet)}`,
  ];
  const last = column(sheet, foot, { x: 14, y: end + 12, width: 0 }, { size: 9 });
  board.put(writer.say('thanks'), 115, last + 8, style);
});

/** The title and the facts first, then the name; the total in large type; a table of taxes. */
const titled = receipt('titled', 240, (sheet) => {
  const { board, facts, writer } = sheet;
  const style = { align: 'middle', size: 9 } as const;
  board.put(`*** ${title(sheet)} ***`, 120, 24, { ...style, size: 11, bold: true });
  const head = column(sheet, factLines(sheet, headFacts(sheet)), { x: 14, y: 42, width: 0 }, { size: 9 });
  board.put(nameOf(sheet), 120, head + 10, { ...style, size: 12, bold: true });
  const own = column(
    sheet,
    [addressOf(facts.seller).join(', '), taxIdLine(sheet)],
    { x: 120, y: head + 24, width: 0 },
    style,
  );
  const items = itemRows(sheet, own + 14, 240, true);
  const noted = column(sheet, currencyNote(sheet), { x: 14, y: items, width: 0 }, { size: 9 });
  const end = sums(sheet, noted + 4, 240);
  const taxes =
    facts.taxes.length > 0 && facts.taxIncluded
      ? taxTable(sheet, { x: 14, y: end + 10, width: 212 }, 7)
      : end;
  column(sheet, [writer.say('thanks'), facts.seller.web], { x: 120, y: taxes + 12, width: 0 }, style);
});

/** A restaurant: table and waiter, the date under the name. */
const restaurant = receipt('restaurant', 220, (sheet) => {
  const { board, facts, writer } = sheet;
  const style = { align: 'middle', size: 9 } as const;
  if (writer.slogan) board.put(writer.say('slogans'), 110, 20, { ...style, size: 8 });
  board.put(facts.seller.brand, 110, 36, { ...style, size: 15, bold: true });
  const head = column(
    sheet,
    [addressOf(facts.seller).join(' '), facts.seller.phone, `${facts.seller.name} ${taxIdLine(sheet)}`],
    { x: 110, y: 50, width: 0 },
    { ...style, size: 8 },
  );
  const known = [
    `${printedDate(facts.date, facts.locale, writer)} ${time(sheet)}`,
    `${writer.say('table')} ${facts.customerNo.slice(0, 2)}  ${writer.say('clerk')} 3`,
    ...factLines(sheet, headFacts(sheet)).filter((line) => line.includes(facts.number)),
  ];
  const rows = column(sheet, known, { x: 14, y: head + 8, width: 0 }, { size: 9 });
  const items = itemRows(sheet, rows + 10, 220, false);
  const noted = column(sheet, currencyNote(sheet), { x: 14, y: items, width: 0 }, { size: 9 });
  const end = sums(sheet, noted + 4, 220);
  board.put(writer.say('thanks'), 110, end + 14, style);
});

/** A ticket: labels above their values, the total before the items, the name at the end. */
const ticket = receipt('ticket', 230, (sheet) => {
  const { board, facts } = sheet;
  board.put(title(sheet), 14, 28, { size: 14, bold: true });
  let at = 48;
  for (const [label, value] of headFacts(sheet)) {
    board.put(label, 14, at, { size: 8 });
    board.put(value, 14, at + 12, { size: 10, bold: true });
    at += 28;
  }
  const items = itemRows(sheet, at + 6, 230, true);
  const noted = column(sheet, currencyNote(sheet), { x: 14, y: items, width: 0 }, { size: 9 });
  const end = sums(sheet, noted + 4, 230);
  column(
    sheet,
    [facts.seller.name, ...addressOf(facts.seller), taxIdLine(sheet), phoneLine(sheet, facts.seller)],
    { x: 14, y: end + 16, width: 0 },
    { size: 8.5 },
  );
  board.rule(14, end + 4, 200);
});

/** The confirmation of an order by e-mail: a greeting on top, the sender in the small print. */
const confirmation = receipt(
  'confirmation',
  480,
  (sheet) => {
    const { board, facts, writer } = sheet;
    board.put(facts.seller.brand, 24, 40, { size: 18, bold: true });
    board.put(writer.say('greeting'), 24, 66, { size: 11 });
    const head = column(
      sheet,
      factLines(sheet, [...headFacts(sheet), [writer.say('order'), facts.order]]),
      { x: 24, y: 90, width: 0 },
      { size: 10 },
    );
    const items = itemRows(sheet, head + 14, 480, false);
    const noted = column(sheet, currencyNote(sheet), { x: 24, y: items, width: 0 });
    const end = sums(sheet, noted + 4, 480);
    board.put(writer.say('customer'), 24, end + 16, { size: 9, bold: true });
    const customer = column(
      sheet,
      [facts.buyer.name, ...addressOf(facts.buyer)],
      { x: 24, y: end + 30, width: 0 },
      { size: 9 },
    );
    const small = [
      writer.say('thanks'),
      `© ${facts.date.slice(0, 4)} ${facts.seller.name}, ${addressOf(facts.seller).join(', ')}`,
      `${taxIdLine(sheet)}  ${emailLine(sheet, facts.seller)}`,
    ];
    column(sheet, small, { x: 24, y: customer + 14, width: 0 }, { size: 8 });
  },
  MAIL_FORMS,
);

/** The folio of a hotel: nights by date, arrival and departure, the sums in one line each. */
const folio = receipt('folio', 480, (sheet) => {
  const { board, facts, writer } = sheet;
  const { seller } = facts;
  const day = (back: number): string =>
    printedDate(
      new Date(Date.parse(facts.date) - back * 86_400_000).toISOString().slice(0, 10),
      facts.locale,
      writer,
    );
  board.put(nameOf(sheet), 240, 34, { size: 15, bold: true, align: 'middle' });
  board.put(`${addressOf(seller).join(', ')}  ${phoneLine(sheet, seller)}`, 240, 48, {
    size: 8,
    align: 'middle',
  });
  column(sheet, [facts.buyer.name, ...addressOf(facts.buyer)], { x: 24, y: 78, width: 200 }, { size: 9 });
  const head = column(
    sheet,
    [title(sheet), ...factLines(sheet, headFacts(sheet)), `${writer.say('order')} ${facts.order}`],
    { x: 280, y: 78, width: 180 },
    { size: 9 },
  );
  let at = Math.max(head, 120) + 14;
  facts.items.forEach(({ name, amount }, index) => {
    board.put(day(facts.items.length - index), 24, at, { size: 9 });
    board.put(name, 120, at, { size: 9 });
    board.put(priced(sheet, amount), 456, at, { size: 9, align: 'end' });
    at += 13;
  });
  const noted = column(sheet, currencyNote(sheet), { x: 24, y: at + 4, width: 0 }, { size: 9 });
  const end = sumRows(sheet, receiptSums(facts, writer), { x: 220, y: noted + 4, width: 236 }, 9.5);
  column(sheet, [taxIdLine(sheet), writer.say('thanks')], { x: 24, y: end + 20, width: 0 }, { size: 8.5 });
});

export const RECEIPTS: readonly Family[] = [till, titled, restaurant, ticket, confirmation, folio];
