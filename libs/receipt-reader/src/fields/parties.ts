import type { Label } from './labels';
import { isSenderLine } from './name-block';
import { cellAt, type Line, type Sheet } from './sheet';
import { isLetter, countOf, squash } from './text';
import type { Cell } from './rows';

/** The party that a block of the sheet describes according to its heading. */
export type Party = 'customer' | 'seller';

const REACH = 8;
/** A block ends at a gap that is this many times as wide as its narrowest gap. */
const GAP_RATIO = 1.8;
/** A company's tax number in the label of a customer's number: "Your VAT no.", "NIF cliente". */
const CUSTOMER_TAX =
  /VAT|UST|NIF|CIF|IVA|TVA|BTW|GST|ABN|TAX|\u05d7\u05e4|\u05e2\u05de|\u05e2\u05d5\u05e1\u05e7/;

/** Finds the blocks of a sheet that belong to a heading such as "Bill to" or "Seller". */
export class Parties {
  private readonly ofCells = new Map<Cell, Party>();
  private readonly firsts = new Set<Cell>();
  private readonly inline = new Map<Cell, { party: Party; from: number; to: number }[]>();

  constructor(sheet: Sheet) {
    for (const line of sheet.lines) {
      for (const label of line.labels) {
        const party = headingOf(line, label);
        if (party) this.mark(sheet, line, label, party);
      }
    }
    for (const line of sheet.lines) {
      for (const cell of line.cells) if (isCustomersNumber(line, cell)) this.markAbove(sheet, line, cell);
    }
  }

  /** True if the cell is the first one under or beside a heading for the seller. */
  isSellersFirst(cell: Cell): boolean {
    return this.firsts.has(cell);
  }

  /** Returns the party that the text at this offset of a row describes. */
  at(line: Line, offset: number): Party | undefined {
    const cell = cellAt(line, offset);
    if (!cell) return undefined;
    const inline = this.inline.get(cell)?.findLast((part) => part.from <= offset && offset < part.to);
    return inline?.party ?? this.ofCells.get(cell);
  }

  private mark(sheet: Sheet, line: Line, label: Label, party: Party): void {
    const cell = cellAt(line, label.start);
    if (!cell) return;
    const end = cell.start + cell.text.length;
    const parts = this.inline.get(cell) ?? [];
    parts.push({ party, from: label.start, to: end + 1 });
    this.inline.set(cell, parts);
    const alone = /^[\s:;.,-]*$/.test(line.text.slice(label.end, end));
    if (alone && !headsColumn(sheet, line, cell)) this.markBeside(line, cell, party);
    this.markBelow(sheet, line, cell, party);
  }

  /** Marks a customer's tax number and the aligned cells above it, up to a label or a gap. */
  private markAbove(sheet: Sheet, line: Line, number: Cell): void {
    if (!this.ofCells.has(number)) this.ofCells.set(number, 'customer');
    let below = number;
    for (let index = line.index - 1; index >= Math.max(line.index - REACH, 0); index--) {
      const above = sheet.lines[index];
      if (!above || above.page !== line.page) return;
      const cell = above.cells.find((other) => isAligned(other, number));
      if (!cell) continue;
      if (
        below.y - cell.y > 2.5 * Math.max(cell.height, below.height) ||
        isLabelled(above, cell) ||
        isSenderLine(cell.text)
      )
        return;
      if (!this.ofCells.has(cell)) this.ofCells.set(cell, 'customer');
      below = cell;
    }
  }

  private markBeside(line: Line, cell: Cell, party: Party): void {
    const next = line.cells[line.cells.indexOf(cell) + 1];
    if (!next) return;
    const headed = line.labels.some(
      (label) =>
        headingOf(line, label) && label.start >= next.start && label.start < next.start + next.text.length,
    );
    if (headed) return;
    this.ofCells.set(next, party);
    if (party === 'seller') this.firsts.add(next);
  }

  /** Marks the cells below a heading until another heading, a table, a greeting or a wide gap. */
  private markBelow(sheet: Sheet, line: Line, head: Cell, party: Party): void {
    const alone = line.cells.length === 1;
    const block = new Block();
    let above = line;
    for (let index = line.index + 1; index <= line.index + REACH; index++) {
      const below = sheet.lines[index];
      if (!below || isApart(above, below) || isTable(below)) return;
      const cells = below.cells.filter((cell) => isUnder(cell, head, below, alone));
      if (cells.some((cell) => endsBlock(below, cell)) || !block.accepts(cells[0])) return;
      if (above === line && party === 'seller' && cells[0]) this.firsts.add(cells[0]);
      for (const cell of cells) if (!this.ofCells.has(cell)) this.ofCells.set(cell, party);
      above = below;
    }
  }
}

/** The distances of the cells below a heading. A block ends at a gap that is wider than those before. */
class Block {
  private last: Cell | undefined;
  private gap = Infinity;

  /** True if the next cell belongs to the block. A row without a cell does not end it. */
  accepts(cell: Cell | undefined): boolean {
    if (!cell) return true;
    if (this.last) {
      const gap = cell.y - this.last.y;
      if (gap > GAP_RATIO * this.gap) return false;
      this.gap = Math.min(this.gap, Math.max(gap, cell.height));
    }
    this.last = cell;
    return true;
  }
}

const isApart = (above: Line, below: Line): boolean =>
  below.page !== above.page || below.y - above.y > 4 * Math.max(above.height, below.height);

const isTable = (line: Line): boolean =>
  line.labels.some(({ concept }) => concept === 'table_head' || concept === 'grand');

const endsBlock = (line: Line, cell: Cell): boolean =>
  isTitle(line, cell) || isHeading(line, cell) || isClosing(line, cell);

/** True if the next row has text without labels in the column of the heading, which then heads that text. */
function headsColumn(sheet: Sheet, line: Line, head: Cell): boolean {
  const below = sheet.lines[line.index + 1];
  if (!below || below.page !== line.page || line.cells.length < 2) return false;
  return below.cells.some((cell) => isAligned(cell, head) && !isLabelled(below, cell));
}

const isAligned = (cell: Cell, other: Cell): boolean => {
  const near = 0.8 * Math.max(cell.height, other.height);
  return Math.abs(cell.x - other.x) < near || Math.abs(cell.right - other.right) < near;
};

const within = (line: Line, cell: Cell): Label[] =>
  line.labels.filter((label) => label.start >= cell.start && label.start < cell.start + cell.text.length);

/** True if the cell begins with a label other than a word of an address or a name. */
const isLabelled = (line: Line, cell: Cell): boolean =>
  within(line, cell).some(
    ({ concept, start }) => start === cell.start && concept !== 'address' && concept !== 'name',
  );

/** True if the cell is a greeting or a notice of copyright, which do not belong to the block above. */
const isClosing = (line: Line, cell: Cell): boolean =>
  cell.text.startsWith('©') ||
  within(line, cell).some(({ concept, start }) => concept === 'courtesy' && start === cell.start);

/** True if the cell has a tax number whose label says that it is the customer's. */
function isCustomersNumber(line: Line, cell: Cell): boolean {
  if (countOf(cell.text, /\d/g) < 6) return false;
  const labels = within(line, cell);
  const named = labels.find(({ concept, slips }) => concept === 'customer' && slips === 0);
  if (!named) return false;
  return labels.some(({ concept }) => concept === 'taxId') || CUSTOMER_TAX.test(squash(cell.text).text);
}

/**
 * True if the cell is aligned with either edge of the heading or with a cell beside it. A heading that is
 * alone in its row applies to whole rows.
 */
function isUnder(cell: Cell, head: Cell, line: Line, alone: boolean): boolean {
  const near = 1.5 * Math.max(head.height, cell.height);
  const aligned = (other: Cell): boolean =>
    Math.abs(other.x - head.x) < near || Math.abs(other.right - head.right) < near;
  if (aligned(cell)) return true;
  const overlap = Math.min(cell.right, head.right) - Math.max(cell.x, head.x);
  if (overlap > 0.5 * Math.min(cell.right - cell.x, head.right - head.x)) return true;
  return alone && line.cells.length === 2 && line.cells.some(aligned);
}

const isHeading = (line: Line, cell: Cell): boolean =>
  line.labels.some((label) => headingOf(line, label) && cellAt(line, label.start) === cell);

/** True if the cell contains only the kind of the document and perhaps its number. */
function isTitle(line: Line, cell: Cell): boolean {
  const end = cell.start + cell.text.length;
  const within = line.labels.filter(
    (label) => label.start >= cell.start && label.end <= end && label.slips === 0,
  );
  const titled = within.some(({ concept }) => concept === 'title' || concept === 'invoiceNo');
  const covered = within.reduce((sum, label) => sum + label.end - label.start, 0);
  return titled && countOf(cell.text, /\p{L}/gu) <= covered;
}

/** Returns the party if the label is a heading: it is first in its cell, and is alone or has a colon. */
function headingOf(line: Line, label: Label): Party | undefined {
  const { concept } = label;
  if (concept !== 'customer' && concept !== 'seller') return undefined;
  const cell = cellAt(line, label.start);
  if (!cell) return undefined;
  const before = line.text.slice(cell.start, label.start);
  if (before.length > 3 && [...before].some(isLetter)) return undefined;
  const after = line.text.slice(label.end, cell.start + cell.text.length);
  const colon = /^\s{0,2}[:;]/.test(after);
  const letters = countOf(after, /\p{L}/gu);
  const headed =
    colon ||
    letters * 2 <= label.length ||
    (label.length >= 5 && label.slips === 0 && concept === 'customer');
  return headed ? concept : undefined;
}
