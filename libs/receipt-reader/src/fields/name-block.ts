import { flags, type Features } from './model';
import type { Cell } from './rows';
import type { Line, Sheet } from './sheet';
import { countOf } from './text';
import type { Concept } from './vocabulary';

const REACH = 8;
/** The widest gap in a block, in heights of its text. */
const GAP_MAX = 2.5;
/** A block ends at a cell with one of these labels. */
const ENDING: ReadonlySet<Concept> = new Set([
  'title',
  'invoiceNo',
  'receiptNo',
  'date',
  'invoiceDate',
  'dueDate',
  'customer',
  'customerNo',
  'table_head',
  'total',
  'grand',
]);

const labelsOf = (line: Line, cell: Cell): Concept[] =>
  line.labels
    .filter((label) => label.start >= cell.start && label.start < cell.start + cell.text.length)
    .map(({ concept }) => concept);

/** True if the cells are aligned at their left or right edges or at their middles. */
function isAligned(cell: Cell, other: Cell): boolean {
  const near = 0.8 * Math.max(cell.height, other.height);
  const middles = (cell.x + cell.right - other.x - other.right) / 2;
  return [cell.x - other.x, cell.right - other.right, middles].some((by) => Math.abs(by) < near);
}

interface Placed {
  readonly line: Line;
  readonly cell: Cell;
}

/** Returns the cell and the cells aligned below it, up to a gap or a label of something else. */
function blockOf(sheet: Sheet, line: Line, cell: Cell): Placed[] {
  const block: Placed[] = [{ line, cell }];
  let last = cell;
  for (let index = line.index + 1; index <= line.index + REACH; index++) {
    const below = sheet.lines[index];
    if (!below || below.page !== line.page) break;
    const next = below.cells.find((other) => isAligned(other, cell));
    if (!next) continue;
    if (next.y - last.y > GAP_MAX * Math.max(next.height, last.height)) break;
    if (labelsOf(below, next).some((concept) => ENDING.has(concept))) break;
    block.push({ line: below, cell: next });
    last = next;
  }
  return block;
}

/** A name, a street and a town in one line: "Brandt GmbH · Gartenweg 3 · 50667 Köln". */
export const isSenderLine = (text: string): boolean =>
  text.length < 120 && text.split(/\s[·•|–-]\s|,\s/).length >= 3 && /\d/.test(text);

/**
 * Returns features of the block that begins with a name. Businesses print their tax number, contacts and bank
 * below their names; below the customer's name stands only an address.
 */
export function blockFeatures(sheet: Sheet, line: Line, cell: Cell): Features {
  const block = blockOf(sheet, line, cell);
  const has = (holds: (concepts: Concept[], text: string) => boolean): boolean =>
    block.some((placed) => holds(labelsOf(placed.line, placed.cell), placed.cell.text));
  return flags({
    blockTaxId: has((concepts, text) => concepts.includes('taxId') && countOf(text, /\d/g) >= 7),
    blockPhone: has((concepts, text) => concepts.includes('phone') && /\d{3}/.test(text)),
    blockWeb: has((_, text) => /@|www\./i.test(text)),
    blockBank: has((concepts) => concepts.includes('bank')),
    blockAlone: block.length === 1,
    senderLine: isSenderLine(cell.text),
  });
}
