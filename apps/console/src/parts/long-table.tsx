import { useRouter } from '@tanstack/react-router';
import { memo, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTexts } from '../app/locale.tsx';
import { SHELL } from '../app/shell-messages.ts';
import { type Column, Count, headOf, Pager, type TableProps } from './data-table.tsx';
import { ErrorNotice } from './error-notice.tsx';
import { useFocusKept } from './focus-kept.ts';
import { Loading } from './loading.tsx';
import type { LongList } from './long-list.ts';
import { PAGE_SIZE, useListQuery } from './list-query.ts';
import { Cells, PlainTable, TableHead } from './plain-table.tsx';
import { keysOf, type Place, placeAfter, placeOf, rowsIn, type Track, trackPx } from './row-window.ts';

/** As `.long td` in records.css. */
const ROW_REM = 2.5;
/** Rows that are drawn beyond the view, on each side. */
const BEYOND = 12;
/** The drawn rows change in steps, so that most frames of a scroll draw nothing new. */
const STEP = 6;
/** How long scrolling must pause before rows far away are read, and before the address keeps the position. */
const READ_PAUSE_MS = 120;
const KEEP_PAUSE_MS = 300;

interface LongTableProps<Row> extends TableProps<Row> {
  readonly list: LongList<Row>;
  readonly idOf: (row: Row) => string | number;
}

/**
 * A list of any length, which is scrolled, with the errors of its reading. Its rows are one line each. The address keeps the first row in the view.
 * Only rows near the view are drawn; `aria-rowindex` says which they are.
 */
export function LongTable<Row>(props: LongTableProps<Row>) {
  const { error, refetch } = props.list;
  return (
    <>
      {error !== null && <ErrorNotice error={error} retry={refetch} />}
      <Answered {...props} />
    </>
  );
}

function Answered<Row>(props: LongTableProps<Row>) {
  const { total, error } = props.list;
  if (total === undefined) return error === null ? <Loading /> : null;
  if (total === 0) return props.empty;
  return total > PAGE_SIZE ? <Scrolled {...props} total={total} /> : <Whole {...props} total={total} />;
}

interface AnsweredProps<Row> extends LongTableProps<Row> {
  readonly total: number;
}

/** A list that fits into a page is shown from its beginning, wherever the address points. */
function Whole<Row>({ label, columns, list, idOf, total }: AnsweredProps<Row>) {
  const { offset, keepOffset } = useListQuery();
  useEffect(() => {
    list.show(0, total);
    if (offset > 0 && !list.isOutdated) keepOffset(0);
  }, [list.name, list.isOutdated, total]);
  const rows = Array.from({ length: total }, (_, index) => list.rowAt(index)).filter(
    (row) => row !== undefined,
  );
  if (rows.length === 0) return list.error === null ? <Loading /> : null;
  return (
    <>
      <PlainTable {...{ label, columns, rows, idOf }} head={headOf} />
      <Count from={0} to={rows.length} total={total} />
    </>
  );
}

function Scrolled<Row>({ label, columns, list, idOf, total }: AnsweredProps<Row>) {
  const t = useTexts(SHELL);
  const box = useRef<HTMLDivElement>(null);
  const { track, place, from, to, goTo } = usePlace(box, list, total);
  const widths = useWidths(box, columns.length, list.rowAt(from) !== undefined);
  useFocusKept(box);
  const first = Math.max(0, Math.floor((from - BEYOND) / STEP) * STEP);
  const last = Math.min(total, Math.ceil((to + BEYOND) / STEP) * STEP);
  const drawn = Array.from({ length: last - first }, (_, index) => first + index);
  const rows = drawn.map((index) => list.rowAt(index));
  const keys = keysOf(
    rows.map((row) => row && idOf(row)),
    first,
  );
  const isRead = rows.every((row) => row !== undefined);
  return (
    <>
      <div ref={box} className="table-scroll long" tabIndex={0} role="region" aria-label={label}>
        <div className="track" style={{ height: trackPx(track) + track.rowPx }}>
          <table
            aria-rowcount={total + 1}
            aria-busy={!isRead}
            className={widths ? 'fixed' : undefined}
            style={{
              insetBlockStart: first * track.rowPx - place.base,
              ...(widths && { width: widths.sum }),
            }}
          >
            {widths && (
              <colgroup>
                {columns.map(({ id }, index) => (
                  <col key={id} style={{ width: widths.each[index] }} />
                ))}
              </colgroup>
            )}
            <TableHead columns={columns} head={headOf} />
            <tbody>
              {drawn.map((index, at) => (
                <Line key={keys[at]} {...{ index, columns }} row={rows[at]} wait={t('loading')} />
              ))}
            </tbody>
          </table>
        </div>
      </div>
      <Pager
        {...{ from, to, total }}
        onPrevious={() => goTo(Math.max(0, from - (to - from) + 1))}
        onNext={() => goTo(to - 1)}
      />
    </>
  );
}

interface LineProps {
  readonly index: number;
  readonly row: unknown;
  readonly columns: readonly Column<never>[];
  /** Shown until the row is read. */
  readonly wait: string;
}

const Line = memo(function Line({ index, row, columns, wait }: LineProps) {
  return (
    <tr aria-rowindex={index + 2}>
      {row === undefined ? (
        <td colSpan={columns.length} className="quiet-text">
          {wait}
        </td>
      ) : (
        <Cells row={row as never} columns={columns} />
      )}
    </tr>
  );
});

/** Follows the scrolling: which rows are in the view, what is read, and what the address keeps. */
function usePlace<Row>(box: RefObject<HTMLDivElement | null>, list: LongList<Row>, total: number) {
  const { offset, keepOffset } = useListQuery();
  const [viewPx, setViewPx] = useState(600);
  const [rowPx] = useState(() => ROW_REM * parseFloat(getComputedStyle(document.documentElement).fontSize));
  const track: Track = { rows: total, rowPx, viewPx };
  const [place, setPlace] = useState<Place>(() => placeOf(track, offset));
  const [from, to] = rowsIn(track, place);
  const now = useRef({ track, place, list, keepOffset });
  now.current = { track, place, list, keepOffset };
  /** Positions that the address was given from here and does not have yet, the oldest first. */
  const sent = useRef<number[]>([]);
  /** Whether the address has got one of them in the change that is being rendered. */
  const isOwnChange = useRef(false);

  const move = (next: Place) => {
    now.current = { ...now.current, place: next };
    setPlace(next);
    if (box.current && box.current.scrollTop !== next.top) box.current.scrollTop = next.top;
  };
  const goTo = (row: number) => move(placeOf(now.current.track, row));

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const measure = () => setViewPx(Math.max(rowPx, element.clientHeight - rowPx));
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    const scrolled = () => {
      const { track: on, place: before } = now.current;
      if (element.scrollTop !== before.top) move(placeAfter(on, before, element.scrollTop));
    };
    element.addEventListener('scroll', scrolled, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', scrolled);
    };
  }, []);

  // The address names another row, or another list: by a link, the history, an order or a filter. A position that it
  // was given from here may arrive late, when the list has been scrolled on, so it does not move the list.
  const named = useRef('');
  useLayoutEffect(() => {
    const at = list.name === named.current ? sent.current.indexOf(offset) : -1;
    named.current = list.name;
    isOwnChange.current = at !== -1;
    if (at === -1) goTo(offset);
    sent.current.splice(0, at === -1 ? sent.current.length : at + 1);
  }, [offset, list.name]);

  usePlaceKept(box, isOwnChange, () => now.current.place.top);

  useEffect(() => {
    const near = list.rowAt(from) !== undefined || list.rowAt(to - 1) !== undefined;
    const timer = setTimeout(() => now.current.list.show(from, to), near ? 0 : READ_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [from, to, list.name]);

  useEffect(() => {
    if (list.isOutdated || from === (sent.current.at(-1) ?? offset)) return undefined;
    const timer = setTimeout(() => {
      if (now.current.keepOffset(from)) sent.current.push(from);
    }, KEEP_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [from, list.isOutdated]);

  return { track, place, from, to, goTo };
}

/**
 * The router scrolls every element of a page to where it was on the page before: also a list, whose place is known.
 *
 * @param isOwnChange after a change of this list's own, the router scrolls nothing: then only the user has scrolled, and
 *   the event of it may still come
 */
function usePlaceKept(
  box: RefObject<HTMLDivElement | null>,
  isOwnChange: RefObject<boolean>,
  topOf: () => number,
): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', () => {
        if (box.current && !isOwnChange.current) box.current.scrollTop = topOf();
        isOwnChange.current = false;
      }),
    [router],
  );
}

interface Widths {
  readonly each: readonly number[];
  readonly sum: number;
}

/** Keeps the columns as wide as the first rows made them: otherwise they would change while one scrolls. */
function useWidths(box: RefObject<HTMLDivElement | null>, columns: number, isRead: boolean): Widths | null {
  const [widths, setWidths] = useState<Widths | null>(null);
  useLayoutEffect(() => {
    if (widths !== null || !isRead) return;
    const heads = [...(box.current?.querySelectorAll('th') ?? [])];
    const each = heads.map((head) => head.getBoundingClientRect().width);
    setWidths({ each, sum: each.reduce((sum, one) => sum + one, 0) });
  });
  useEffect(() => {
    let before = box.current?.clientWidth;
    const observer = new ResizeObserver(() => {
      if (box.current?.clientWidth !== before) setWidths(null);
      before = box.current?.clientWidth;
    });
    if (box.current) observer.observe(box.current);
    return () => observer.disconnect();
  }, [columns]);
  return widths?.each.length === columns ? widths : null;
}
