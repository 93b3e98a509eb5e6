/** A calendar date without a time or a zone, as text: YYYY-MM-DD (decisions §1). Never held in a `Date`. */
export type PlainDate = string;

/** Where the companies that the service keeps books for have their calendar day. */
export const BUSINESS_TIME_ZONE = 'Asia/Jerusalem';

const SHAPE = /^(\d{4})-(\d{2})-(\d{2})$/;

const businessDay = new Intl.DateTimeFormat('en-CA', {
  timeZone: BUSINESS_TIME_ZONE,
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
});

/** Whether the text is a real calendar date written YYYY-MM-DD: 2026-02-30 and 2026-1-5 are not. */
export function isPlainDate(text: string): boolean {
  const match = SHAPE.exec(text);
  if (!match) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const date = new Date(Date.UTC(year, month - 1, day));
  return year >= 1900 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** The calendar day of an instant in the business time zone. */
export function plainDateOf(instant: Date): PlainDate {
  return businessDay.format(instant);
}
