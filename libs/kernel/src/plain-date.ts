/** A calendar date without a time or a zone, as text: YYYY-MM-DD (contract §1.4). Never held in a `Date`. */
export type PlainDate = string;

/** The time zone in which companies' calendar days begin and end. */
export const BUSINESS_TIME_ZONE = 'Asia/Jerusalem';

const SHAPE = /^(\d{4})-(\d{2})-(\d{2})$/;

const businessDay = new Intl.DateTimeFormat('en-CA', {
  timeZone: BUSINESS_TIME_ZONE,
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
});

const businessHour = new Intl.DateTimeFormat('en-GB', {
  timeZone: BUSINESS_TIME_ZONE,
  hour: '2-digit',
  hourCycle: 'h23',
});

/** Whether the text is a real calendar date written YYYY-MM-DD: 2026-02-30 and 2026-1-5 are not. */
export function isPlainDate(text: string): boolean {
  const match = SHAPE.exec(text);
  if (!match) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const date = new Date(Date.UTC(year, month - 1, day));
  return year >= 1900 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** Adds days to a date, or subtracts them for a negative number. */
export function daysAfter(date: PlainDate, days: number): PlainDate {
  const [year, month, day] = partsOf(date);
  return dateOf(Date.UTC(year, month - 1, day + days));
}

export function endOfMonth(date: PlainDate): PlainDate {
  const [year, month] = partsOf(date);
  return dateOf(Date.UTC(year, month, 0));
}

/** Year, month from 1, and day. */
export function partsOf(date: PlainDate): readonly [year: number, month: number, day: number] {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  return [year, month, day];
}

/** The date of a midnight in UTC. */
export function dateOf(epochMs: number): PlainDate {
  return new Date(epochMs).toISOString().slice(0, 10);
}

/** The calendar day of an instant in the business time zone. */
export function plainDateOf(instant: Date): PlainDate {
  return businessDay.format(instant);
}

/** The hour of an instant in the business time zone, from 0 to 23. */
export function businessHourOf(instant: Date): number {
  return Number(businessHour.format(instant));
}
