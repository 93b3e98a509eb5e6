import type { Label } from './labels';
import { cellAt, type Line, type Sheet } from './sheet';
import { isLetter, countOf } from './text';
import type { Cell } from './rows';

/** The party that a block of the sheet describes according to its heading. */
export type Party = 'customer' | 'seller';

const REACH = 8;

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
    if (alone) this.markBeside(line, cell, party);
    this.markBelow(sheet, line, cell, party);
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

  /** Marks the cells below a heading until another heading, a table or a wide gap. */
  private markBelow(sheet: Sheet, line: Line, head: Cell, party: Party): void {
    const alone = line.cells.length === 1;
    let above = line;
    for (let index = line.index + 1; index <= line.index + REACH; index++) {
      const below = sheet.lines[index];
      if (!below || below.page !== line.page || below.y - above.y > 4 * Math.max(above.height, below.height))
        return;
      if (below.labels.some((label) => label.concept === 'table_head' || label.concept === 'grand')) return;
      const cells = below.cells.filter((cell) => isUnder(cell, head, below, alone));
      if (cells.some((cell) => isTitle(below, cell) || isHeading(below, cell))) return;
      if (above === line && party === 'seller' && cells[0]) this.firsts.add(cells[0]);
      for (const cell of cells) if (!this.ofCells.has(cell)) this.ofCells.set(cell, party);
      above = below;
    }
  }
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
