import type { Page, Span } from '../page';
import type { ReadingSource } from '../reading';
import { clean, countOf } from './text';

/** Spans that stand close together in a row: a label, a number, a column of a table. */
export interface Cell {
  readonly text: string;
  readonly x: number;
  readonly right: number;
  readonly y: number;
  readonly height: number;
  readonly confidence: number;
  /** The text that a second recogniser read here, if it differs. */
  readonly alternative?: string;
  /** Where the cell's text starts in the text of its row. */
  readonly start: number;
}

/** Cells that stand side by side on a page. */
export interface Row {
  readonly page: number;
  /** Over all pages. */
  readonly index: number;
  /** In reading order: Hebrew rows of a drawn page from the right. */
  readonly cells: readonly Cell[];
  /** The cells' texts, two spaces between them. */
  readonly text: string;
  /** Middle, 0 (top of the page) to 1. */
  readonly place: number;
  readonly y: number;
  readonly height: number;
}

const GAP = '  ';
/** Work is bounded: of a longer document its beginning and its end are read. */
const MAX_SPANS = 3000;
const MAX_ROWS = 700;
const MAX_TEXT = 400;
/** No page is as wide: of a longer row the first cells are read, since a row is looked at again for each of its amounts. */
const MAX_ROW_TEXT = 1000;

const middle = (span: { y: number; height: number }): number => span.y + span.height / 2;

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

const SLOPES = Array.from({ length: 25 }, (_, index) => (index - 12) * 0.005);

/** By how much rows fall per unit of x: the slope at which the spans' middles gather in the fewest lines. */
function slopeOf(spans: readonly Span[], height: number): number {
  let best = 0;
  let bestScore = -1;
  for (const slope of SLOPES) {
    const lines = new Map<number, number>();
    for (const span of spans) {
      const line = Math.round((middle(span) - slope * (span.x + span.width / 2)) / (height / 3));
      lines.set(line, (lines.get(line) ?? 0) + 1);
    }
    let score = 0;
    for (const count of lines.values()) score += count * count;
    if (score > bestScore * 1.05 || (score >= bestScore && Math.abs(slope) < Math.abs(best))) {
      best = slope;
      bestScore = score;
    }
  }
  return best;
}

interface Placed {
  readonly span: Span;
  /** Middle, as if the page stood straight. */
  readonly level: number;
}

/** A span belongs to a row when the nearer of their middles lies within half the lower of the two heights. */
function intoLines(spans: readonly Span[], slope: number): Placed[][] {
  const placed = spans
    .map((span) => ({ span, level: middle(span) - slope * (span.x + span.width / 2) }))
    .sort((one, other) => one.level - other.level || one.span.x - other.span.x);
  const lines: Placed[][] = [];
  for (const item of placed) {
    const line = lines
      .slice(-4)
      .reverse()
      .find((candidate) => accepts(candidate, item));
    if (line) line.push(item);
    else lines.push([item]);
  }
  return lines;
}

function accepts(line: readonly Placed[], item: Placed): boolean {
  let level = 0;
  for (const other of line) level += other.level / line.length;
  const nearest = line.reduce((best, other) =>
    Math.abs(other.span.x - item.span.x) < Math.abs(best.span.x - item.span.x) ? other : best,
  );
  const height = Math.max(Math.min(nearest.span.height, item.span.height), 0.01);
  const overlapping = line.some(
    ({ span }) =>
      Math.min(span.x + span.width, item.span.x + item.span.width) - Math.max(span.x, item.span.x) >
      0.5 * Math.min(span.width, item.span.width),
  );
  return Math.abs(level - item.level) < height * (overlapping ? 0.25 : 0.55);
}

function joinCells(line: readonly Placed[], leftward: boolean): Cell[] {
  const ordered = line.map(({ span }) => span).sort((one, other) => one.x - other.x || one.y - other.y);
  const groups: Span[][] = [];
  for (const span of ordered) {
    const last = groups.at(-1)?.at(-1);
    const gap = last ? span.x - (last.x + last.width) : Infinity;
    if (last && gap < 0.8 * Math.max(Math.min(last.height, span.height), 0.01)) groups.at(-1)?.push(span);
    else groups.push([span]);
  }
  if (leftward) groups.reverse();
  const cells: Cell[] = [];
  let start = 0;
  for (const group of groups) {
    if (start > MAX_ROW_TEXT) break;
    const cell = toCell(leftward ? readLeftward(group) : group, start);
    start += cell.text.length + GAP.length;
    cells.push(cell);
  }
  return cells;
}

/** Words are read from the right, but text that is written from the left (numbers, Latin words) keeps its order. */
function readLeftward(group: readonly Span[]): Span[] {
  const result: Span[] = [];
  let run: Span[] = [];
  for (const span of [...group].reverse()) {
    if (/[\u05d0-\u05ea]/.test(span.text)) {
      result.push(...run, span);
      run = [];
    } else {
      run.unshift(span);
    }
  }
  return [...result, ...run];
}

function toCell(group: readonly Span[], start: number): Cell {
  const text = clean(group.map((span) => span.text).join(' ')).slice(0, MAX_TEXT);
  const differs = group.some((span) => span.alternative !== undefined);
  const x = Math.min(...group.map((span) => span.x));
  const y = Math.min(...group.map((span) => span.y));
  return {
    text,
    x,
    right: Math.max(...group.map((span) => span.x + span.width)),
    y,
    height: median(group.map((span) => span.height)),
    confidence: Math.min(...group.map((span) => span.confidence)),
    ...(differs && { alternative: clean(group.map((span) => span.alternative ?? span.text).join(' ')) }),
    start,
  };
}

/** Whether more of the letters are Hebrew than Latin. */
function isMostlyHebrew(spans: readonly Span[]): boolean {
  const text = spans.map((span) => span.text).join(' ');
  return countOf(text, /[\u05d0-\u05ea]/g) > countOf(text, /[A-Za-z]/g);
}

function rowsOfPage(
  page: Page,
  spans: readonly Span[],
  source: ReadingSource,
): Omit<Row, 'page' | 'index'>[] {
  if (spans.length === 0) return [];
  const height = Math.max(median(spans.map((span) => span.height)), 0.01);
  const slope = source === 'ocr' && spans.length > 8 ? slopeOf(spans, height) : 0;
  // Plain text has one direction throughout; a drawn page may mix them.
  const leftward = source === 'text' ? isMostlyHebrew(spans) : undefined;
  return intoLines(spans, slope).map((line) => {
    const cells = joinCells(line, leftward ?? isMostlyHebrew(line.map(({ span }) => span)));
    const level = median(line.map((item) => item.level));
    return {
      cells,
      text: cells.map((cell) => cell.text).join(GAP),
      place: page.height > 0 ? Math.min(Math.max(level / page.height, 0), 1) : 0,
      y: level,
      height: median(line.map(({ span }) => span.height)),
    };
  });
}

/** The first and the last items of a list that is too long. */
function ends<T>(items: readonly T[], most: number): readonly T[] {
  if (items.length <= most) return items;
  const first = Math.ceil(most * 0.6);
  return [...items.slice(0, first), ...items.slice(items.length - (most - first))];
}

/** The rows of all pages, from top to bottom. Of a very long document the middle is left out. */
export function toRows(pages: readonly Page[], source: ReadingSource): Row[] {
  const all = pages.flatMap((page, number) =>
    page.spans
      .filter((span) => span.text.length > 0 && /\S/.test(span.text) && Number.isFinite(span.x + span.y))
      .map((span) => ({ span, number, page })),
  );
  const kept = ends(all, MAX_SPANS);
  const rows = pages.flatMap((page, number) => {
    const spans = kept.filter((item) => item.number === number).map((item) => item.span);
    return rowsOfPage(page, spans, source).map((row) => ({ ...row, page: number }));
  });
  return ends(
    rows.filter((row) => row.text.length > 0),
    MAX_ROWS,
  ).map((row, index) => ({ ...row, index }));
}
