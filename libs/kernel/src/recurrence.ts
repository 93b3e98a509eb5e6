import { dateOf, daysAfter, partsOf, type PlainDate } from './plain-date';

export const INTERVALS = ['WEEKLY', 'MONTHLY', 'YEARLY'] as const;
/** The interval of a schedule (contract §8.14, §14.6). */
export type Interval = (typeof INTERVALS)[number];

const DAYS_PER_WEEK = 7;
const MONTHS_PER_YEAR = 12;

/**
 * Computes the due date of an occurrence. It counts from the first date, never from the previous one, so that
 * the day does not drift: 31 January is followed by 28 or 29 February, and then by 31 March.
 *
 * @param index 0 is the first date itself
 */
export function occurrence(first: PlainDate, interval: Interval, index: number): PlainDate {
  if (interval === 'WEEKLY') return daysAfter(first, DAYS_PER_WEEK * index);
  const [year, month, day] = partsOf(first);
  const months = month - 1 + (interval === 'YEARLY' ? MONTHS_PER_YEAR : 1) * index;
  return dateOf(Date.UTC(year, months, Math.min(day, daysOf(year, months))));
}

/** @param month 0 is January of the year; larger numbers continue into later years */
function daysOf(year: number, month: number): number {
  return new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
}
