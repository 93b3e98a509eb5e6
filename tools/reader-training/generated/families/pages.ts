import {
  addressOf,
  column,
  currencyNote,
  customerLines,
  emailLine,
  factGrid,
  factLines,
  headFacts,
  itemTable,
  nameOf,
  phoneLine,
  spaced,
  sumRows,
  taxIdLine,
  title,
  type Sheet,
} from '../parts';
import { money, printedDate } from '../formats';
import { invoiceSums } from '../sums';
import { A4, ANY_FORM, INVOICES, type Family, type Form } from './family';

const LEFT = 50;
const RIGHT = 545;
const WIDE = RIGHT - LEFT;
const MIDDLE = 297;

const page = (name: string, draw: (sheet: Sheet) => void, forms: readonly Form[] = ANY_FORM): Family => ({
  ...A4,
  name,
  kinds: INVOICES,
  forms,
  draw,
});

const strong = ({ facts, writer }: Sheet, cents: number): string =>
  money(cents, facts.locale, writer, writer.signs !== 'none');

/** Everything centred, the number in the title, the items without lines. */
const centred = page('centred', (sheet) => {
  const { board, facts, writer } = sheet;
  const style = { align: 'middle' } as const;
  column(sheet, [nameOf(sheet)], { x: MIDDLE, y: 60, width: 0 }, { ...style, size: 16, bold: true });
  const head = [
    addressOf(facts.seller).join(', '),
    `${phoneLine(sheet, facts.seller)}  ${emailLine(sheet, facts.seller)}`,
    taxIdLine(sheet),
  ];
  const own = column(sheet, head, { x: MIDDLE, y: 78, width: 0 }, { ...style, size: 9 });
  board.put(`${title(sheet)} ${facts.number}`, MIDDLE, own + 22, { ...style, size: 14, bold: true });
  board.put(printedDate(facts.date, facts.locale, writer), MIDDLE, own + 40, { ...style, size: 10 });
  board.put(writer.pair(writer.say('customer'), facts.buyer.name), LEFT, own + 70);
  board.put(addressOf(facts.buyer).join(', '), LEFT, own + 84, { size: 9 });
  const items = itemTable(sheet, { x: LEFT, y: own + 112, width: WIDE }, { headed: false });
  const noted = column(sheet, currencyNote(sheet), { x: LEFT, y: items, width: WIDE });
  const end = sumRows(sheet, invoiceSums(facts, writer), { x: LEFT, y: noted + 6, width: WIDE });
  board.put(writer.say('thanks'), MIDDLE, end + 30, style);
});

/** A band with title and slogan, and the amount to pay on top as well as below. */
const banner = page('banner', (sheet) => {
  const { board, facts, writer } = sheet;
  board.put(spaced(facts.seller.brand), LEFT, 55, { size: 15, bold: true });
  board.put(writer.say('slogans'), LEFT, 70, { size: 9 });
  board.put(title(sheet), RIGHT, 60, { size: 24, bold: true, align: 'end' });
  board.rule(LEFT, 82, WIDE);
  const grid = factGrid(sheet, headFacts(sheet), { x: LEFT, y: 102, width: 200 });
  board.put(writer.say('total'), RIGHT, 102, { size: 9, align: 'end' });
  board.put(
    strong(sheet, facts.kind === 'credit' && writer.numberStyle % 2 === 0 ? -facts.total : facts.total),
    RIGHT,
    122,
    { size: 17, bold: true, align: 'end' },
  );
  const seller = column(
    sheet,
    [facts.seller.name, ...addressOf(facts.seller), taxIdLine(sheet)],
    { x: LEFT, y: grid + 16, width: 200 },
    { size: 9 },
  );
  board.put(writer.say('customer'), 330, grid + 16, { size: 9, bold: true });
  const customer = column(sheet, customerLines(sheet), { x: 330, y: grid + 29, width: 200 }, { size: 9 });
  const table = itemTable(sheet, { x: LEFT, y: Math.max(seller, customer) + 24, width: WIDE });
  sumRows(sheet, invoiceSums(facts, writer), { x: 330, y: table + 8, width: 215 });
  board.put(`${facts.seller.web}  ${facts.seller.email}`, MIDDLE, 805, { size: 8.5, align: 'middle' });
});

/** A letter: subject, sentences, the figures in the text's column, the name under the greeting. */
const narrative = page('narrative', (sheet) => {
  const { board, facts, writer } = sheet;
  const { seller } = facts;
  const own = column(
    sheet,
    [nameOf(sheet), addressOf(seller).join(', '), writer.pair(writer.say('phone'), seller.phone)],
    { x: RIGHT, y: 60, width: 0 },
    { size: 9, align: 'end' },
  );
  const customer = column(sheet, customerLines(sheet), { x: LEFT, y: own + 20, width: 220 });
  board.put(
    `${
      addressOf(seller)
        .at(-1)
        ?.replace(/^[\d ]+/, '') ?? ''
    }, ${printedDate(facts.date, facts.locale, writer)}`,
    RIGHT,
    customer + 14,
    { align: 'end' },
  );
  const [label = ''] = headFacts(sheet).find(([, value]) => value === facts.number) ?? [];
  board.put(writer.pair(label, facts.number), LEFT, customer + 44, { size: 12, bold: true });
  board.put(writer.say('greeting'), LEFT, customer + 70, { size: 10 });
  const items = itemTable(
    sheet,
    { x: LEFT + 20, y: customer + 98, width: WIDE - 60 },
    { headed: false, size: 10 },
  );
  const noted = column(sheet, currencyNote(sheet), { x: LEFT + 20, y: items, width: WIDE });
  const end = sumRows(sheet, invoiceSums(facts, writer), { x: LEFT + 20, y: noted + 4, width: WIDE - 60 });
  board.put(writer.say('terms'), LEFT, end + 20, { size: 9.5 });
  column(sheet, [writer.say('thanks'), facts.seller.brand], { x: LEFT, y: end + 46, width: 200 });
  board.put(`${taxIdLine(sheet)} · ${writer.pair(writer.say('bank'), seller.iban)}`, MIDDLE, 805, {
    size: 8,
    align: 'middle',
  });
});

/** Sender, facts and payment in a column at the side of the items. */
const sidebar = page('sidebar', (sheet) => {
  const { board, facts, writer } = sheet;
  const { seller } = facts;
  const x = 415;
  board.put(title(sheet), LEFT, 64, { size: 20, bold: true });
  const side = column(
    sheet,
    [nameOf(sheet), ...addressOf(seller), phoneLine(sheet, seller), seller.email, taxIdLine(sheet)],
    { x, y: 64, width: 130 },
    { size: 8 },
  );
  let at = side + 16;
  for (const [label, value] of headFacts(sheet)) {
    board.put(label, x, at, { size: 8 });
    board.put(value, x, at + 12, { size: 9.5, bold: true });
    at += 30;
  }
  column(sheet, [writer.say('bank'), seller.iban], { x, y: at + 8, width: 130 }, { size: 8 });
  const customer = column(sheet, [writer.say('customer'), ...customerLines(sheet)], {
    x: LEFT,
    y: 98,
    width: 220,
  });
  const table = itemTable(sheet, { x: LEFT, y: Math.max(customer, at) + 30, width: 340 }, { size: 8.5 });
  const noted = column(sheet, currencyNote(sheet), { x: LEFT + 140, y: table, width: 200 });
  sumRows(sheet, invoiceSums(facts, writer), { x: LEFT + 140, y: noted + 4, width: 200 });
});

/** A bill of a utility: the previous balance and payments before the charges of the period. */
const utility = page('utility', (sheet) => {
  const { board, facts, writer, draw } = sheet;
  const { seller } = facts;
  board.put(facts.seller.brand, LEFT, 58, { size: 18, bold: true });
  column(
    sheet,
    [`${nameOf(sheet)}, ${addressOf(seller).join(', ')}`, taxIdLine(sheet)],
    { x: LEFT, y: 74, width: 300 },
    { size: 8 },
  );
  const head = column(
    sheet,
    [title(sheet), ...factLines(sheet, [...headFacts(sheet), [writer.say('customerNo'), facts.customerNo]])],
    { x: 350, y: 58, width: 195 },
    { size: 9 },
  );
  const customer = column(sheet, customerLines(sheet), { x: LEFT, y: 124, width: 220 });
  const previous = draw.whole(2000, 30_000);
  const plain = (cents: number): string => money(cents, facts.locale, writer, writer.signs === 'all');
  const before = [
    { label: writer.say('previous'), amount: plain(previous), strong: false },
    { label: writer.say('deposit'), amount: plain(-previous), strong: false },
  ];
  const start = sumRows(sheet, before, { x: LEFT, y: Math.max(customer, head) + 26, width: WIDE });
  const items = itemTable(sheet, { x: LEFT, y: start + 14, width: WIDE });
  const noted = column(sheet, currencyNote(sheet), { x: LEFT, y: items, width: WIDE });
  const end = sumRows(sheet, invoiceSums({ ...facts, deposit: 0 }, writer), {
    x: LEFT,
    y: noted + 4,
    width: WIDE,
  });
  board.put(writer.pair(writer.say('phone'), seller.phone), LEFT, end + 30, { size: 8.5 });
});

/** A web application: the amount and the day it is due as a headline, plain rows, a small name at the end. */
const webApp = page('web-app', (sheet) => {
  const { board, facts, writer } = sheet;
  const { seller } = facts;
  board.put(title(sheet), LEFT, 60, { size: 18, bold: true });
  board.put(seller.brand, RIGHT, 60, { size: 14, bold: true, align: 'end' });
  const grid = factGrid(sheet, headFacts(sheet), { x: LEFT, y: 86, width: 220 }, 9);
  const own = column(
    sheet,
    [seller.name, ...addressOf(seller), seller.email, taxIdLine(sheet)],
    { x: LEFT, y: grid + 14, width: 200 },
    { size: 9 },
  );
  board.put(writer.say('customer'), 310, grid + 14, { size: 9, bold: true });
  const customer = column(sheet, customerLines(sheet), { x: 310, y: grid + 27, width: 200 }, { size: 9 });
  const y = Math.max(own, customer) + 24;
  board.put(
    `${strong(sheet, facts.total)} ${writer.say('due').toLocaleLowerCase(writer.language)} ${printedDate(facts.due, facts.locale, writer)}`,
    LEFT,
    y,
    { size: 15, bold: true },
  );
  const table = itemTable(sheet, { x: LEFT, y: y + 34, width: WIDE }, { size: 9 });
  sumRows(sheet, invoiceSums({ ...facts, kind: 'invoice' }, writer), { x: 330, y: table + 4, width: 215 }, 9);
  board.put(writer.say('page'), RIGHT, 805, { size: 8, align: 'end' });
});

/** One person's plain page: few words, the name beside the date, the tax number in the last line. */
const plainPage = page('plain', (sheet) => {
  const { board, facts, writer } = sheet;
  const { seller } = facts;
  board.put(nameOf(sheet), LEFT, 70, { size: 12 });
  const lines = factLines(sheet, headFacts(sheet));
  column(sheet, lines, { x: RIGHT, y: 70, width: 0 }, { align: 'end', size: 10 });
  column(sheet, addressOf(seller), { x: LEFT, y: 86, width: 200 }, { size: 10 });
  board.put(title(sheet), LEFT, 160, { size: 12, bold: true });
  board.put(writer.pair(writer.say('customer'), customerLines(sheet).slice(0, 3).join(', ')), LEFT, 182);
  const items = itemTable(sheet, { x: LEFT, y: 216, width: WIDE - 90 });
  const noted = column(sheet, currencyNote(sheet), { x: LEFT, y: items, width: WIDE });
  const end = sumRows(sheet, invoiceSums(facts, writer), { x: LEFT + 150, y: noted + 6, width: WIDE - 240 });
  column(
    sheet,
    [writer.say('terms'), `${seller.name}  ${taxIdLine(sheet)}`],
    { x: LEFT, y: end + 34, width: WIDE },
    { size: 9 },
  );
});

export const PAGES: readonly Family[] = [centred, banner, narrative, sidebar, utility, webApp, plainPage];
