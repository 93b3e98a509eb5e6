import type { Page, Span } from '../page';
import { hasRightToLeft } from './logical-order';

/** Limits the work. The rest of the document is left out. */
export const SPANS_MAX = 20_000;
export const LINES_MAX = 5_000;
/** Longer lines are wrapped, as in a browser. */
const LINE_CHARACTERS_MAX = 160;
/** Distance between the tops of two lines of ordinary height. */
const LINE_GAP = 1;
/** Columns between the cells of a row. */
const CELL_GAP = 3;

/** A piece of a line. A column is one character wide, a row is two lines of text high. */
export interface PlacedText {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly height: number;
}

/** Text in lines from the top, each with one or more pieces. Other text may stand beside and below it. */
export class TextBox {
  readonly texts: PlacedText[] = [];
  width = 0;
  height = 0;

  /**
   * Adds a line below unless the maximum is reached. Pieces without a position follow each other from the
   * left.
   */
  addLine(pieces: readonly { readonly text: string; readonly x?: number }[], letterHeight = 1): void {
    if (this.texts.length >= SPANS_MAX) return;
    let next = 0;
    let lines = 1;
    for (const { text, x = next } of pieces) {
      const rows = wrap(text);
      for (const [row, part] of rows.entries())
        this.texts.push({
          text: part,
          x,
          y: this.height + row * (letterHeight + LINE_GAP),
          height: letterHeight,
        });
      const width = Math.max(...rows.map((part) => part.length), 0) * letterHeight;
      next = x + width + CELL_GAP;
      this.width = Math.max(this.width, x + width);
      lines = Math.max(lines, rows.length);
    }
    this.height += lines * (letterHeight + LINE_GAP);
  }

  /** Adds a table below. Each cell is placed in its column. */
  addTable(rows: readonly (readonly TableCell[])[]): void {
    const lefts = columnLefts(rows);
    for (const row of rows) {
      let column = 0;
      let bottom = this.height;
      for (const { box, columns } of row) {
        const left = lefts[column] ?? 0;
        for (const placed of box.texts)
          this.texts.push({ ...placed, x: placed.x + left, y: placed.y + this.height });
        this.width = Math.max(this.width, left + box.width);
        bottom = Math.max(bottom, this.height + box.height);
        column += columns;
      }
      this.height = bottom;
    }
  }
}

/** The content of a table cell, and the number of columns that it spans. */
export interface TableCell {
  readonly box: TextBox;
  readonly columns: number;
}

function columnLefts(rows: readonly (readonly TableCell[])[]): number[] {
  const widths: number[] = [];
  for (const row of rows) {
    let column = 0;
    for (const { box, columns } of row) {
      if (columns === 1) widths[column] = Math.max(widths[column] ?? 0, box.width);
      column += columns;
      widths[column - 1] ??= 0;
    }
  }
  const lefts: number[] = [];
  let left = 0;
  for (let column = 0; column < widths.length; column++) {
    lefts.push(left);
    left += (widths[column] ?? 0) + CELL_GAP;
  }
  return lefts;
}

function wrap(text: string): string[] {
  if (text.length <= LINE_CHARACTERS_MAX) return [text];
  const rows: string[] = [];
  for (let from = 0; from < text.length && rows.length < LINES_MAX;) {
    const room = text.slice(from, from + LINE_CHARACTERS_MAX);
    const end = room.length < LINE_CHARACTERS_MAX ? room.length : room.lastIndexOf(' ') + 1 || room.length;
    rows.push(room.slice(0, end).trim());
    from += end;
  }
  return rows.filter((row) => row !== '');
}

/**
 * Converts the box to a page.
 *
 * @param fromTheRight whether lines start at the right edge, as in a mostly Hebrew or Arabic text
 */
export function pageOf(box: TextBox, fromTheRight = isMostlyRightToLeft(box.texts)): Page {
  const spans = box.texts.slice(0, SPANS_MAX).map(({ text, x, y, height }): Span => {
    const width = text.length * height;
    return { text, x: fromTheRight ? box.width - x - width : x, y, width, height, confidence: 1 };
  });
  return { width: Math.max(box.width, 1), height: Math.max(box.height, 1), spans };
}

function isMostlyRightToLeft(texts: readonly PlacedText[]): boolean {
  const words = texts.flatMap(({ text }) => text.match(/\p{L}{2,}/gu) ?? []);
  return words.filter(hasRightToLeft).length * 2 > words.length;
}
