import {
  addressOf,
  column,
  currencyNote,
  customerLines,
  emailLine,
  factGrid,
  factLines,
  factRow,
  headFacts,
  itemTable,
  nameOf,
  phoneLine,
  spaced,
  sumRows,
  taxIdLine,
  taxTable,
  title,
  type Sheet,
} from '../parts';
import { invoiceSums } from '../sums';
import { A4, ANY_FORM, INVOICES, type Family } from './family';

const LEFT = 50;
const RIGHT = 545;
const WIDE = RIGHT - LEFT;

const invoice = (name: string, draw: (sheet: Sheet) => void): Family => ({
  ...A4,
  name,
  kinds: INVOICES,
  forms: ANY_FORM,
  draw,
});

function sumsAtEnd(sheet: Sheet, y: number, width = 210): number {
  const noted = column(sheet, currencyNote(sheet), { x: RIGHT - width, y, width });
  return sumRows(sheet, invoiceSums(sheet.facts, sheet.writer), { x: RIGHT - width, y: noted, width });
}

/** The sender on top, large; the customer below; the facts opposite; the bank at the foot. */
const letterhead = invoice('letterhead', (sheet) => {
  const { board, facts, writer } = sheet;
  const name = nameOf(sheet);
  board.put(writer.spacedName ? spaced(name) : name, LEFT, 60, { size: 17, bold: true });
  if (writer.slogan) board.put(writer.say('slogans'), LEFT, 74, { size: 9 });
  column(
    sheet,
    [...addressOf(facts.seller), phoneLine(sheet, facts.seller), taxIdLine(sheet)],
    { x: LEFT, y: 88, width: 200 },
    { size: 9 },
  );
  const customer = column(sheet, [writer.say('customer'), ...customerLines(sheet)], {
    x: LEFT,
    y: 165,
    width: 220,
  });
  const grid = factGrid(sheet, headFacts(sheet), { x: 350, y: 165, width: 195 });
  board.put(title(sheet), LEFT, Math.max(customer, grid) + 22, { size: 15, bold: true });
  const table = itemTable(sheet, { x: LEFT, y: Math.max(customer, grid) + 50, width: WIDE });
  const end = sumsAtEnd(sheet, table + 8);
  column(
    sheet,
    [writer.say('terms'), writer.say('thanks')],
    { x: LEFT, y: end + 22, width: WIDE },
    { size: 8.5 },
  );
  board.put(`${writer.pair(writer.say('bank'), facts.seller.iban)}`, LEFT, 800, { size: 8 });
});

/** The sender's small line above the window of the envelope, and the sender's block opposite. */
const windowed = invoice('windowed', (sheet) => {
  const { board, facts, writer } = sheet;
  const { seller } = facts;
  board.put([seller.name, ...addressOf(seller)].join(' · '), LEFT, 110, { size: 7 });
  column(sheet, customerLines(sheet), { x: LEFT, y: 128, width: 220 }, { size: 10.5 });
  const contact = [
    nameOf(sheet),
    ...addressOf(seller),
    phoneLine(sheet, seller),
    emailLine(sheet, seller),
    seller.web,
  ];
  column(sheet, contact, { x: 380, y: 70, width: 165 }, { size: 9 });
  const grid = factGrid(sheet, headFacts(sheet), { x: 380, y: 172, width: 165 }, 9);
  board.put(title(sheet), LEFT, grid + 30, { size: 16, bold: true });
  board.put(writer.say('greeting'), LEFT, grid + 52, { size: 9.5 });
  const table = itemTable(sheet, { x: LEFT, y: grid + 76, width: WIDE });
  sumsAtEnd(sheet, table + 6);
  board.rule(LEFT, 770, WIDE);
  column(sheet, [seller.name, ...addressOf(seller)], { x: LEFT, y: 782, width: 150 }, { size: 7.5 });
  column(
    sheet,
    [taxIdLine(sheet), writer.pair(writer.say('bank'), seller.iban)],
    { x: 330, y: 782, width: 150 },
    { size: 7.5 },
  );
});

/** No sender at the head but a slogan: the name stands only in the columns at the foot. */
const senderAtFoot = invoice('sender-at-foot', (sheet) => {
  const { board, facts, writer } = sheet;
  const { seller } = facts;
  board.put(title(sheet), LEFT, 70, { size: 22, bold: true });
  if (writer.slogan) board.put(writer.say('slogans'), RIGHT, 70, { size: 11, align: 'end' });
  const customer = column(sheet, customerLines(sheet), { x: LEFT, y: 120, width: 220 });
  const facts_ = column(sheet, factLines(sheet, headFacts(sheet)), { x: 360, y: 120, width: 185 });
  const table = itemTable(sheet, { x: LEFT, y: Math.max(customer, facts_) + 40, width: WIDE });
  const end = sumsAtEnd(sheet, table + 8);
  board.put(writer.say('terms'), LEFT, end + 24, { size: 8.5 });
  board.rule(LEFT, 762, WIDE);
  column(sheet, [nameOf(sheet), ...addressOf(seller)], { x: LEFT, y: 776, width: 160 }, { size: 8 });
  column(
    sheet,
    [phoneLine(sheet, seller), emailLine(sheet, seller), seller.web],
    { x: 225, y: 776, width: 150 },
    { size: 8 },
  );
  column(
    sheet,
    [taxIdLine(sheet), writer.pair(writer.say('bank'), seller.iban)],
    { x: 400, y: 776, width: 145 },
    { size: 8 },
  );
});

/** The customer above the seller, both under headings. */
const customerFirst = invoice('customer-first', (sheet) => {
  const { board, facts, writer } = sheet;
  board.put(title(sheet), RIGHT, 58, { size: 18, bold: true, align: 'end' });
  board.put(writer.say('customer'), LEFT, 90, { bold: true });
  const customer = column(sheet, customerLines(sheet), { x: LEFT, y: 104, width: 240 });
  board.put(writer.say('seller'), LEFT, customer + 12, { bold: true });
  const own = [nameOf(sheet), ...addressOf(facts.seller), taxIdLine(sheet), emailLine(sheet, facts.seller)];
  const seller = column(sheet, own, { x: LEFT, y: customer + 26, width: 240 });
  factGrid(sheet, headFacts(sheet), { x: 350, y: 104, width: 195 });
  const table = itemTable(sheet, { x: LEFT, y: seller + 26, width: WIDE });
  const end = sumsAtEnd(sheet, table + 8);
  column(
    sheet,
    [writer.say('terms'), writer.pair(writer.say('bank'), facts.seller.iban)],
    { x: LEFT, y: end + 24, width: WIDE },
    { size: 8.5 },
  );
});

/** Three columns under headings: the seller, the customer, the facts. */
const partyColumns = invoice('party-columns', (sheet) => {
  const { board, facts, writer, draw } = sheet;
  board.put(title(sheet), LEFT, 66, { size: 24, bold: true });
  const own = [nameOf(sheet), ...addressOf(facts.seller), taxIdLine(sheet)];
  const blocks = [
    [writer.say('seller'), own],
    [writer.say('customer'), customerLines(sheet)],
  ] as const;
  const ordered = draw.chance(0.4) ? blocks.toReversed() : blocks;
  const ends = ordered.map(([head, lines], index) => {
    const x = LEFT + index * 175;
    board.put(head, x, 108, { size: 9, bold: true });
    return column(sheet, lines, { x, y: 123, width: 165 }, { size: 9 });
  });
  ends.push(
    column(sheet, factLines(sheet, headFacts(sheet)), { x: LEFT + 350, y: 108, width: 145 }, { size: 9 }),
  );
  const table = itemTable(sheet, { x: LEFT, y: Math.max(...ends) + 26, width: WIDE });
  const end = sumsAtEnd(sheet, table + 8);
  board.put(writer.say('thanks'), LEFT, end + 26, { size: 10 });
});

/** The facts in a row of boxes: labels above, values below. */
const factBoxes = invoice('fact-boxes', (sheet) => {
  const { board, facts, writer } = sheet;
  const { seller } = facts;
  column(sheet, [nameOf(sheet)], { x: RIGHT, y: 58, width: 200 }, { size: 13, bold: true, align: 'end' });
  column(
    sheet,
    [...addressOf(seller), taxIdLine(sheet), phoneLine(sheet, seller)],
    { x: RIGHT, y: 76, width: 200 },
    { size: 8.5, align: 'end' },
  );
  const customer = column(sheet, [writer.say('customer'), ...customerLines(sheet)], {
    x: LEFT,
    y: 60,
    width: 220,
  });
  board.put(title(sheet), LEFT, Math.max(customer, 125) + 26, { size: 14, bold: true });
  const boxes = factRow(sheet, headFacts(sheet), { x: LEFT, y: Math.max(customer, 125) + 52, width: WIDE });
  const table = itemTable(sheet, { x: LEFT, y: boxes + 18, width: WIDE });
  const end = sumsAtEnd(sheet, table + 8);
  column(
    sheet,
    [writer.say('terms'), writer.pair(writer.say('bank'), seller.iban)],
    { x: LEFT, y: end + 20, width: WIDE },
    { size: 8.5 },
  );
});

/** A table of taxes beside the items' codes, and the registration at the foot. */
const taxSummary = invoice('tax-summary', (sheet) => {
  const { board, facts, writer } = sheet;
  const { seller } = facts;
  board.put(seller.brand, LEFT, 62, { size: 20, bold: true });
  board.put(writer.pair(title(sheet), facts.number), RIGHT, 62, { size: 13, bold: true, align: 'end' });
  const grid = factGrid(
    sheet,
    headFacts(sheet).filter(([, value]) => value !== facts.number),
    { x: 350, y: 86, width: 195 },
  );
  const customer = column(sheet, [writer.say('customer'), ...customerLines(sheet)], {
    x: LEFT,
    y: 100,
    width: 240,
  });
  const table = itemTable(sheet, { x: LEFT, y: Math.max(customer, grid) + 24, width: WIDE });
  const taxes = facts.taxes.length > 0 ? taxTable(sheet, { x: LEFT, y: table + 10, width: 330 }) : table;
  const end = sumsAtEnd(sheet, taxes + 6);
  const foot = [
    `${nameOf(sheet)}, ${addressOf(seller).join(', ')}`,
    `${taxIdLine(sheet)}   ${writer.pair(writer.say('bank'), seller.iban)}`,
  ];
  column(sheet, [writer.say('terms')], { x: LEFT, y: end + 18, width: WIDE }, { size: 8.5 });
  column(sheet, foot, { x: LEFT, y: 800, width: WIDE }, { size: 7.5 });
});

export const LETTERS: readonly Family[] = [
  letterhead,
  windowed,
  senderAtFoot,
  customerFirst,
  partyColumns,
  factBoxes,
  taxSummary,
];
