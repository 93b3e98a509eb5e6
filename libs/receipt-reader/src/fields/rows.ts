import type { Page, Span } from '../page';
import type { ReadingSource } from '../reading';
import { clean, countOf } from './text';

/** Spans that stand close together in a row: a label, a number or a table cell. */
export interface Cell {
  readonly text: string;
  readonly x: number;
  readonly right: number;
  readonly y: number;
  readonly height: number;
  readonly confidence: number;
  /** The text that a second OCR engine read here, if it differs. */
  readonly alternative?: string;
  /** The offset of the cell's text in the text of the row. */
  readonly start: number;
}

/** Cells that stand side by side on a page. */
export interface Row {
  readonly page: number;
  /** Number of the row, counted over all pages. */
  readonly index: number;
  /** In reading order. Hebrew rows of a page with coordinates are read from the right. */
  readonly cells: readonly Cell[];
  /** The texts of the cells, separated by two spaces. */
  readonly text: string;
  /** Vertical position of the middle: 0 is the top of the page, 1 the bottom. */
  readonly place: number;
  readonly y: number;
  readonly height: number;
}

const GAP = '  ';
/** Limits the work: of a longer document only the beginning and the end are read. */
const MAX_SPANS = 3000;
const MAX_ROWS = 700;
const MAX_TEXT = 400;
/**
 * Limits the work, because every amount scans its row again. The text of a real row is shorter; only the
 * first cells of a longer row are read.
 */
const MAX_ROW_TEXT = 1000;

const middle = (span: { y: number; height: number }): number => span.y + span.height / 2;

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

const SLOPES = Array.from({ length: 25 }, (_, index) => (index - 12) * 0.005);

/** Returns the slope of the rows. At this slope the middles of the spans fall into the fewest lines. */
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
  /** Vertical middle after the page is straightened. */
  readonly level: number;
}

/**
 * Groups spans into rows. A span belongs to a row if its middle lies within half of the smaller of the two
 * heights.
 */
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

/** Orders words from right to left, but keeps the order of left-to-right runs (numbers, Latin words). */
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

/** True if the spans have more Hebrew than Latin letters. */
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
  // Plain text has one direction throughout. A page with coordinates may mix directions.
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

/** Returns the first and the last items of a list that is too long. */
function ends<T>(items: readonly T[], most: number): readonly T[] {
  if (items.length <= most) return items;
  const first = Math.ceil(most * 0.6);
  return [...items.slice(0, first), ...items.slice(items.length - (most - first))];
}

/** Returns the rows of all pages from top to bottom. The middle of a very long document is left out. */
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
