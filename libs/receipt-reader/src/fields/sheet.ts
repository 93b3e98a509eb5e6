import type { Page } from '../page';
import type { ReadingSource } from '../reading';
import { decimalMarkOf, findNumbers, type DecimalMark, type PrintedNumber } from './amounts';
import { dateOrderOf, findDates, type DateOrder, type PrintedDate } from './dates';
import { findLabels, type Label } from './labels';
import { toRows, type Cell, type Row } from './rows';
import { countOf, hebrewWords } from './text';

/** A row with its labels, numbers and dates. */
export interface Line extends Row {
  readonly labels: readonly Label[];
  readonly dates: readonly PrintedDate[];
  readonly numbers: readonly PrintedNumber[];
}

/** A document as the input of the field search. */
export interface Sheet {
  readonly source: ReadingSource;
  /** YYYY-MM-DD */
  readonly today: string;
  readonly lines: readonly Line[];
  readonly text: string;
  readonly mark: DecimalMark;
  readonly order: DateOrder;
  readonly hebrew: boolean;
  /** The typical height of a row. */
  readonly height: number;
  readonly pages: number;
}

export function toSheet(pages: readonly Page[], source: ReadingSource, today: string): Sheet {
  const rows = toRows(pages, source);
  const text = rows.map((row) => row.text).join('\n');
  const mark = decimalMarkOf(text);
  const order = dateOrderOf(text);
  const recognised = source === 'ocr';
  const lines = rows.map((row): Line => {
    const dates = findDates(row.text, order, recognised);
    const numbers = findNumbers(row.text, mark, recognised).filter(
      (number) => !dates.some((date) => number.start < date.end && date.start < number.end),
    );
    return { ...row, labels: labelsOf(row, recognised), dates, numbers };
  });
  const heights = lines.map((line) => line.height).sort((one, other) => one - other);
  return {
    source,
    today,
    lines,
    text,
    mark,
    order,
    hebrew: hebrewWords(text) >= 4 && countOf(text, /[\u05d0-\u05ea]/g) * 2 > countOf(text, /[A-Za-z]/g),
    height: heights[Math.floor(heights.length / 2)] ?? 1,
    pages: pages.length,
  };
}

/** Searches each cell separately, because a label cannot span two columns. */
function labelsOf(row: Row, recognised: boolean): Label[] {
  return row.cells.flatMap((cell) =>
    findLabels(cell.text, recognised).map((label) => ({
      ...label,
      start: label.start + cell.start,
      end: label.end + cell.start,
    })),
  );
}

/** Returns the cell that contains this offset of the row's text. */
export function cellAt(row: Row, offset: number): Cell | undefined {
  return row.cells.findLast((cell) => cell.start <= offset) ?? row.cells[0];
}

/** Returns the left and right position of a part of a row's text, assuming letters of equal width. */
export function extentOf(row: Row, start: number, end: number): { x: number; right: number } {
  const cell = cellAt(row, start);
  if (!cell) return { x: 0, right: 0 };
  const length = Math.max(cell.text.length, 1);
  const from = Math.min(Math.max((start - cell.start) / length, 0), 1);
  const to = Math.min(Math.max((end - cell.start) / length, 0), 1);
  const width = cell.right - cell.x;
  if (hebrewWords(cell.text) > 0) return { x: cell.x + (1 - to) * width, right: cell.x + (1 - from) * width };
  return { x: cell.x + from * width, right: cell.x + to * width };
}
