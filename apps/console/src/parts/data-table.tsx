import type { ReactNode } from 'react';
import { Button } from 'react-aria-components';
import { useFormats, useTexts } from '../app/locale.tsx';
import { SHELL } from '../app/shell-messages.ts';
import { Icon } from './icon.tsx';
import { PAGE_SIZE, useListQuery } from './list-query.ts';
import { type PlainColumn, PlainTable, titleCell } from './plain-table.tsx';

export interface Column<Row> extends PlainColumn<Row> {
  /** The name by which the API sorts; without one, the column cannot be sorted. */
  readonly sort?: string;
}

/** Of every table. */
export interface TableProps<Row> {
  /** For screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** Shown in place of the table. */
  readonly empty: ReactNode;
}

interface DataTableProps<Row> extends TableProps<Row> {
  readonly rows: readonly Row[];
  readonly idOf: (row: Row) => string | number;
  /** Of the answer. */
  readonly total: number;
}

/** A page of a list. The page and the order are in the address, so that a link and the history lead back to them. */
export function DataTable<Row>({ label, columns, rows, idOf, total, empty }: DataTableProps<Row>) {
  const { offset, change } = useListQuery();
  if (rows.length === 0 && offset === 0) return empty;
  const to = offset + rows.length;
  const before = Math.max(0, offset - PAGE_SIZE);
  return (
    <>
      <PlainTable {...{ label, columns, rows, idOf }} head={headOf} />
      <Pager
        {...{ from: offset, to, total }}
        onPrevious={() => change({ offset: before || undefined })}
        onNext={() => change({ offset: to })}
      />
    </>
  );
}

/** The title of a column, which orders the list if the API can. */
export const headOf = <Row,>(column: Column<Row>) => {
  const { id, sort } = column;
  return sort === undefined ? titleCell(column) : <SortedBy key={id} {...{ column, sort }} />;
};

interface SortedByProps<Row> {
  readonly column: Column<Row>;
  readonly sort: string;
}

function SortedBy<Row>({ column: { title, isNumber }, sort }: SortedByProps<Row>) {
  const t = useTexts(SHELL);
  const { sortBy, sortOrder, change } = useListQuery();
  const order = sortBy === sort ? (sortOrder ?? 'asc') : undefined;
  const next = order === 'asc' ? 'desc' : 'asc';
  return (
    <th
      scope="col"
      className={isNumber ? 'number' : undefined}
      aria-sort={order && (order === 'asc' ? 'ascending' : 'descending')}
    >
      <Button
        className="sort"
        aria-label={t('sortBy', { name: title })}
        onPress={() => change({ sortBy: sort, sortOrder: next, offset: undefined })}
      >
        {title}
        {order && <Icon name={order === 'asc' ? 'up' : 'down'} />}
      </Button>
    </th>
  );
}

interface PagerProps {
  /** The first row that is shown, from 0. */
  readonly from: number;
  /** The row after the last one that is shown. */
  readonly to: number;
  readonly total: number;
  readonly onPrevious: () => void;
  readonly onNext: () => void;
}

/** Says which rows are shown, and leads to those before and after. */
export function Pager({ from, to, total, onPrevious, onNext }: PagerProps) {
  const t = useTexts(SHELL);
  return (
    <Count {...{ from, to, total }}>
      {(from > 0 || to < total) && (
        <span className="actions">
          <Button className="button small" isDisabled={from === 0} onPress={onPrevious}>
            {t('previous')}
          </Button>
          <Button className="button small" isDisabled={to >= total} onPress={onNext}>
            {t('next')}
          </Button>
        </span>
      )}
    </Count>
  );
}

interface CountProps extends Pick<PagerProps, 'from' | 'to' | 'total'> {
  readonly children?: ReactNode;
}

export function Count({ from, to, total, children }: CountProps) {
  const t = useTexts(SHELL);
  const { number } = useFormats();
  return (
    <div className="pager">
      <span>{t('page', { from: number(Math.min(from + 1, to)), to: number(to), total: number(total) })}</span>
      {children}
    </div>
  );
}
