import { type ReactNode, useRef } from 'react';
import { useFocusKept } from './focus-kept.ts';

export interface PlainColumn<Row> {
  readonly id: string;
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  readonly isNumber?: boolean;
  /** For screen readers only: what the cells show needs no title. */
  readonly isTitleHidden?: boolean;
}

interface HeadProps<Column> {
  readonly columns: readonly Column[];
  /** Replaces the title of a column. */
  readonly head?: (column: Column) => ReactNode;
}

interface PlainTableProps<Row, Column extends PlainColumn<Row>> extends HeadProps<Column> {
  /** For screen readers. */
  readonly label: string;
  readonly rows: readonly Row[];
  readonly idOf: (row: Row) => string | number;
}

/** A table of the given rows, without pages and orders. */
export function PlainTable<Row, Column extends PlainColumn<Row> = PlainColumn<Row>>(
  props: PlainTableProps<Row, Column>,
) {
  const { label, columns, rows, idOf, head } = props;
  const box = useRef<HTMLDivElement>(null);
  useFocusKept(box);
  return (
    <div ref={box} className="table-scroll" tabIndex={0} role="region" aria-label={label}>
      <table>
        <TableHead {...{ columns, ...(head && { head }) }} />
        <tbody>
          {rows.map((row) => (
            <tr key={idOf(row)}>
              <Cells row={row} columns={columns} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function TableHead<Column extends PlainColumn<never>>({
  columns,
  head = titleCell,
}: HeadProps<Column>) {
  return (
    <thead>
      <tr>{columns.map(head)}</tr>
    </thead>
  );
}

interface CellsProps<Row> {
  readonly row: Row;
  readonly columns: readonly PlainColumn<Row>[];
}

/** The cells of a row. */
export function Cells<Row>({ row, columns }: CellsProps<Row>) {
  return columns.map(({ id, cell, isNumber }) => (
    <td key={id} className={isNumber ? 'number' : undefined}>
      {cell(row)}
    </td>
  ));
}

export const titleCell = <Row,>({ id, title, isNumber, isTitleHidden }: PlainColumn<Row>) => (
  <th key={id} scope="col" className={isNumber ? 'number' : undefined}>
    {isTitleHidden ? <span className="unseen">{title}</span> : title}
  </th>
);
