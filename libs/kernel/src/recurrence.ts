import { dateOf, daysAfter, partsOf, type PlainDate } from './plain-date';

export const INTERVALS = ['WEEKLY', 'MONTHLY', 'YEARLY'] as const;
/** How often something comes back (decisions §4). */
export type Interval = (typeof INTERVALS)[number];

const DAYS_PER_WEEK = 7;
const MONTHS_PER_YEAR = 12;

/**
 * When something is due for the time after the first `index` times. Each date is counted from the first one, never from
 * the one before it: a month that is too short for its day has its last day, and the next has the day again, so that 31
 * January is followed by 28 or 29 February and 31 March.
 *
 * @param index 0 is the first date itself
 */
export function occurrence(first: PlainDate, interval: Interval, index: number): PlainDate {
  if (interval === 'WEEKLY') return daysAfter(first, DAYS_PER_WEEK * index);
  const [year, month, day] = partsOf(first);
  const months = month - 1 + (interval === 'YEARLY' ? MONTHS_PER_YEAR : 1) * index;
  return dateOf(Date.UTC(year, months, Math.min(day, daysOf(year, months))));
}

/** @param month counted from January of the year as 0, also beyond its end */
function daysOf(year: number, month: number): number {
  return new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
}
