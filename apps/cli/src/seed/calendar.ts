import type { Random } from './random';

/** A calendar day: `2026-11-26`. */
export type Day = string;

const MS_PER_DAY = 86_400_000;
const DAYS_PER_YEAR = 365;
const THURSDAY = 4;

/** Days begin at midnight in Israel for the service, wherever this program runs. */
const BUSINESS_DAY = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'Asia/Jerusalem',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
});

export const businessDayOf = (time: Date): Day => BUSINESS_DAY.format(time);

const timeOf = (day: Day): number => Date.parse(`${day}T00:00:00Z`);
const dayOf = (time: number): Day => new Date(time).toISOString().slice(0, 10);

export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(timeOf(text)) && dayOf(timeOf(text)) === text;
}

export const addDays = (day: Day, days: number): Day => dayOf(timeOf(day) + days * MS_PER_DAY);

/** The same day of another month. The day must exist in each month: at most 28. */
export function addMonths(day: Day, months: number): Day {
  const date = new Date(timeOf(day));
  return dayOf(date.setUTCMonth(date.getUTCMonth() + months));
}

/** The day itself, or the Thursday before a Friday or a Saturday. */
export function workdayOf(day: Day): Day {
  const weekday = new Date(timeOf(day)).getUTCDay();
  return addDays(day, -Math.max(0, weekday - THURSDAY));
}

export const firstDayOf = (until: Day): Day => addDays(until, 1 - DAYS_PER_YEAR);

/** So many workdays of the year until a day, in order. */
export function workdays(random: Random, until: Day, count: number): Day[] {
  const first = firstDayOf(until);
  const days = Array.from({ length: count }, () =>
    workdayOf(addDays(first, random.int(2, DAYS_PER_YEAR - 1))),
  );
  return days.sort();
}

/** VAT in Israel, in percent. */
export const vatRateOn = (day: Day): number => (day < '2025-01-01' ? 17 : 18);
