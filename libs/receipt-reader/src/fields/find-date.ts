import { bucket, flags, type Candidate, type Features } from './model';
import type { Parties } from './parties';
import type { PrintedDate } from './dates';
import { cellAt, extentOf, type Line, type Sheet } from './sheet';
import type { Concept } from './vocabulary';

const DATE_CONCEPTS: ReadonlySet<Concept> = new Set(['date', 'invoiceDate', 'dueDate', 'otherDate']);
const TIME = /(?<!\d)\d{1,2}:\d{2}/;

/** Returns the date label directly before the date in the row, or the nearest one above it in the column. */
function labelBefore(sheet: Sheet, line: Line, date: PrintedDate): string {
  const earlier = line.dates.filter((other) => other.end <= date.start).at(-1)?.end ?? 0;
  const before = line.labels.filter(
    (label) => label.end <= date.start && label.start >= earlier && DATE_CONCEPTS.has(label.concept),
  );
  const own = before.find((label) => label.concept !== 'date') ?? before.at(-1);
  if (own) return own.concept;
  // Dates in different cells are columns, which have their labels above.
  const column = earlier === 0 || cellAt(line, date.start) !== cellAt(line, earlier - 1);
  return (column ? labelAbove(sheet, line, date) : undefined) ?? (earlier > 0 ? 'second' : 'none');
}

function labelAbove(sheet: Sheet, line: Line, date: PrintedDate): string | undefined {
  const extent = extentOf(line, date.start, date.end);
  for (let index = line.index - 1; index >= Math.max(line.index - 3, 0); index--) {
    const above = sheet.lines[index];
    if (!above || above.page !== line.page) break;
    const label = above.labels.find((other) => {
      if (!DATE_CONCEPTS.has(other.concept)) return false;
      const place = extentOf(above, other.start, other.end);
      return place.x < extent.right && extent.x < place.right;
    });
    if (label && above.dates.length === 0) return `above:${label.concept}`;
  }
  return undefined;
}

function neighbours(line: Line, date: PrintedDate): Features {
  const concepts = new Set(line.labels.map((label) => label.concept));
  const before = line.text.slice(0, date.start);
  const after = line.text.slice(date.end, date.end + 6);
  return flags({
    time: TIME.test(line.text.slice(date.end)) || TIME.test(before),
    title: concepts.has('title') || concepts.has('invoiceNo') || concepts.has('receiptNo'),
    range: /^\s?(?:-|to|bis|au|al|a|tot|עד)\s/i.test(after) || /(?:-|to|bis|au|al|tot|עד)\s?$/i.test(before),
    alone: line.text.trim().length <= date.end - date.start + 14,
    firstInRow: date.start === 0,
    sentence: line.text.length > 70,
    priced: line.numbers.some((number) => number.decimals === 2),
    otherWords:
      concepts.has('bank') || concepts.has('courtesy') || concepts.has('deposit') || concepts.has('order'),
    repeatsLabel: concepts.has('time'),
  });
}

const daysBetween = (one: string, other: string): number =>
  (Date.parse(other) - Date.parse(one)) / 86_400_000;
const OLDEST_DAYS = 25 * 366;

/**
 * Returns the candidates for the document date. Dates in the future, dates that are decades old and dates
 * with another label, such as a due date, are left out.
 */
export function dateCandidates(sheet: Sheet, parties: Parties): Candidate<string>[] {
  const all = sheet.lines.flatMap((line) => line.dates.map((date) => ({ line, date })));
  const possible = all
    .filter(({ date }) => date.date <= sheet.today && daysBetween(date.date, sheet.today) < OLDEST_DAYS)
    .slice(0, 200);
  const first = possible[0]?.date.date;
  const latest = possible
    .map(({ date }) => date.date)
    .reduce((one, other) => (other > one ? other : one), '');
  const labelled = possible.map(({ line, date }) => ({ line, date, label: labelBefore(sheet, line, date) }));
  const own = labelled.filter(({ label }) => !/dueDate|otherDate/.test(label));
  return own.map(({ line, date, label }) => ({
    value: date.date,
    key: date.date,
    at: { line, start: date.start, end: date.end },
    features: {
      [`label:${label}`]: 1,
      ...neighbours(line, date),
      ...bucket('place', (line.page + line.place) / Math.max(sheet.pages, 1), [0.25, 0.5, 0.8]),
      ...bucket('repeats', possible.filter((other) => other.date.date === date.date).length, [2, 3]),
      ...flags({
        first: date.date === first,
        latest: date.date === latest,
        only: possible.every((other) => other.date.date === date.date),
        old: daysBetween(date.date, sheet.today) > 12 * 366,
        party: parties.at(line, date.start) === 'customer',
      }),
    },
  }));
}
