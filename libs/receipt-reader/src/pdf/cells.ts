import type { Page, Point, Span } from '../page';
import { turnedBack } from '../place';
import { type DrawnText, logicalOrder } from '../text/logical-order';
import type { Piece, PiecesOfPage } from './text-pieces';

/** Shares of the letter height. */
const SAME_ROW = 0.4;
const SAME_CELL_GAP = 0.75;
const SPACE_GAP = 0.12;
/** Text that runs into the next column overlaps it by more than adjacent letters do. */
const OVERLAP_MAX = 0.4;
const OVERPRINT = 0.15;
/** Letters of one cell differ in height by less than this factor. */
const HEIGHT_RATIO_MAX = 1.8;
/** The part of a letter above its baseline, as a share of its height. */
const ASCENT = 0.8;

/**
 * Joins the text runs of a page into cells. Runs with at most a space between them are one span, runs with a
 * column gap are two. The text of each span is in reading order.
 */
export function cellsOf({ width, height, turn, pieces }: PiecesOfPage): Page {
  const upright = pieces.filter(({ isTurned }) => !isTurned);
  const turned = pieces.filter(({ isTurned }) => isTurned);
  const cells = [...rowsOf(upright).flatMap(cellsOfRow), ...turned.map((piece) => [piece])];
  const spans = cells.map(spanOf).filter(({ text }) => text !== '');
  const shown = ({ x, y }: Point): Point => turnedBack({ x: x / width, y: y / height }, -turn);
  return { width, height, spans, ...(turn !== 0 && { shown }) };
}

function rowsOf(pieces: readonly Piece[]): Piece[][] {
  const rows: Piece[][] = [];
  for (const piece of pieces.toSorted((a, b) => a.baseline - b.baseline)) {
    const row = rows.at(-1);
    const first = row?.[0];
    const reach = SAME_ROW * Math.min(piece.height, first?.height ?? 0);
    if (row && first && piece.baseline - first.baseline <= reach) row.push(piece);
    else rows.push([piece]);
  }
  return rows;
}

function cellsOfRow(row: readonly Piece[]): Piece[][] {
  const cells: Piece[][] = [];
  for (const piece of row.toSorted((a, b) => a.x - b.x)) {
    const cell = cells.at(-1);
    const before = cell?.at(-1);
    if (cell && before && isOverprint(before, piece)) continue;
    if (cell && before && belongTogether(before, piece)) cell.push(piece);
    else cells.push([piece]);
  }
  return cells;
}

/** Some programs make letters bold by printing them twice. */
function isOverprint(before: Piece, piece: Piece): boolean {
  return before.text === piece.text && piece.x - before.x <= OVERPRINT * piece.height;
}

function belongTogether(before: Piece, piece: Piece): boolean {
  const height = Math.max(before.height, piece.height);
  const ratio = height / Math.min(before.height, piece.height);
  const gap = gapBetween(before, piece) / height;
  return ratio <= HEIGHT_RATIO_MAX && gap <= SAME_CELL_GAP && gap >= -OVERLAP_MAX;
}

function gapBetween(before: Piece, piece: Piece): number {
  return piece.x - (before.x + before.width);
}

function spanOf(cell: readonly Piece[]): Span {
  const drawn: DrawnText[] = [];
  let before: Piece | undefined;
  for (const piece of cell) {
    if (before && gapBetween(before, piece) > SPACE_GAP * piece.height)
      drawn.push({ text: ' ', isRightToLeft: false });
    drawn.push(piece);
    before = piece;
  }
  const x = Math.min(...cell.map((piece) => piece.x));
  const right = Math.max(...cell.map((piece) => piece.x + piece.width));
  const height = Math.max(...cell.map((piece) => piece.height));
  const baseline = Math.max(...cell.map((piece) => piece.baseline));
  const y = baseline - (cell.some(({ isTurned }) => isTurned) ? 1 : ASCENT) * height;
  const text = logicalOrder(drawn).replace(/\s+/g, ' ').trim();
  return { text, x, y, width: right - x, height, confidence: 1 };
}
