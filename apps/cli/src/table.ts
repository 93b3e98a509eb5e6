import { printableLine } from './printable';

export type Cell = string | number | boolean | null | undefined;

/** A column of a list for people. Numbers are aligned to the right. */
export interface Column<Row> {
  readonly title: string;
  readonly value: (row: Row) => Cell;
  /** Longer texts are cut. */
  readonly max?: number;
}

const MAX_DEFAULT = 40;
const GAP = '  ';

const shown = (cell: Cell): string =>
  cell === null || cell === undefined ? '–' : printableLine(String(cell));

function cut(text: string, max: number): string {
  const characters = [...text];
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join('')}…`;
}

/** Characters, not UTF-16 units. */
const lengthOf = (text: string): number => [...text].length;

const textsOf = <Row>(columns: readonly Column<Row>[], row: Row): string[] =>
  columns.map(({ value, max = MAX_DEFAULT }) => cut(shown(value(row)), max));

/** @param before the widths of the rows above, which these must not be narrower than */
export function widthsOf<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  before: readonly number[] = [],
): number[] {
  const texts = [columns.map(({ title }) => title), ...rows.map((row) => textsOf(columns, row))];
  return columns.map((_, index) =>
    Math.max(before[index] ?? 0, ...texts.map((line) => lengthOf(line[index] ?? ''))),
  );
}

/** Returns the header and a line for each row. */
export function tableLines<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  widths: readonly number[],
): string[] {
  const isNumber = columns.map(({ value }) => rows.some((row) => typeof value(row) === 'number'));
  const line = (texts: readonly string[]) =>
    texts
      .map((text, index) => {
        const fill = ' '.repeat(Math.max(0, (widths[index] ?? 0) - lengthOf(text)));
        return isNumber[index] ? fill + text : text + fill;
      })
      .join(GAP)
      .trimEnd();
  return [line(columns.map(({ title }) => title)), ...rows.map((row) => line(textsOf(columns, row)))];
}
