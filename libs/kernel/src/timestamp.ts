const LENGTH_MAX = 64;
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The years that both PostgreSQL and `toISOString` write in four digits. */
const INSTANT_MIN = midnightOf(1, 1, 1);
const INSTANT_MAX = midnightOf(10_000, 1, 1) - 1;

const CALENDAR = ['(?<month>\\d\\d)', '(?<day>\\d\\d)'];
const WEEK = ['W(?<week>\\d\\d)', '(?<weekday>\\d)'];
const DAY_OF_YEAR = '(?<dayOfYear>\\d{3})';

const EXTENDED = shape(`-(?:${CALENDAR.join('-')}|${WEEK.join('-')}|${DAY_OF_YEAR})`, ':');
/**
 * A day of the year needs a time: 2026112 alone is more likely 20261121 with a missing digit than day 112 of
 * 2026.
 */
const BASIC = shape(`(?:${CALENDAR.join('')}|${WEEK.join('')}|${DAY_OF_YEAR}(?=T))`, '');

type Parts = Readonly<Record<string, string | undefined>>;

function shape(date: string, colon: string): RegExp {
  const time = `(?<hour>\\d\\d)(?:${colon}(?<minute>\\d\\d)(?:${colon}(?<second>\\d\\d))?)?(?:[.,](?<fraction>\\d+))?`;
  const offset = '(?:Z|(?<sign>[+-])(?<offsetHour>\\d\\d)(?::?(?<offsetMinute>\\d\\d))?)';
  return new RegExp(`^(?<year>\\d{4})${date}(?:T${time}${offset})?$`, 'i');
}

/**
 * Reads an ISO 8601 timestamp (contract §10.1): a date and a time with `Z` or an offset, in the extended
 * (`2026-11-21T10:15:00.5+02:00`) or basic form (`20261121T101500Z`). The date may also be a week date
 * (`2026-W47-6`) or an ordinal date (`2026-325`), and the last unit of the time may have a fraction
 * (`10:15.5`). A date alone is its midnight in UTC. 24:00 is the end of the day. A leap second counts as the
 * second after it.
 *
 * The result is rounded down to the millisecond, so that a filter from this instant on omits nothing.
 *
 * @returns null for a time without an offset, a day that does not exist, an instant outside the years 1 to
 *   9999 UTC, or more than 64 characters
 */
export function parseTimestamp(text: string): Date | null {
  if (text.length > LENGTH_MAX) return null;
  const parts: Parts | undefined = (EXTENDED.exec(text) ?? BASIC.exec(text))?.groups;
  if (parts === undefined) return null;
  const [midnight, time, offset] = [midnightIn(parts), timeIn(parts), offsetIn(parts)];
  if (midnight === null || time === null || offset === null) return null;

  const instant = midnight + time - offset;
  if (numberIn(parts, 'second') === 60 && !beginsDay(instant)) return null;
  return instant >= INSTANT_MIN && instant <= INSTANT_MAX ? new Date(instant) : null;
}

/** Milliseconds from 1970 to the UTC midnight of the named day. Null if the day does not exist. */
function midnightIn(parts: Parts): number | null {
  const year = numberIn(parts, 'year');
  if (parts['week'] !== undefined) return weekDay(year, numberIn(parts, 'week'), numberIn(parts, 'weekday'));
  if (parts['dayOfYear'] !== undefined) {
    const midnight = midnightOf(year, 1, numberIn(parts, 'dayOfYear'));
    return new Date(midnight).getUTCFullYear() === year ? midnight : null;
  }
  const month = numberIn(parts, 'month');
  const midnight = midnightOf(year, month, numberIn(parts, 'day'));
  // A day that the month does not have becomes a day of another month.
  return new Date(midnight).getUTCMonth() === month - 1 ? midnight : null;
}

/** ISO weeks begin on Monday (1), and belong to the year of their Thursday. */
function weekDay(year: number, week: number, weekday: number): number | null {
  if (weekday < 1 || weekday > 7) return null;
  const fourthOfJanuary = midnightOf(year, 1, 4);
  const sinceMonday = (new Date(fourthOfJanuary).getUTCDay() + 6) % 7;
  const monday = fourthOfJanuary + ((week - 1) * 7 - sinceMonday) * DAY_MS;
  const thursday = new Date(monday + 3 * DAY_MS);
  return thursday.getUTCFullYear() === year ? monday + (weekday - 1) * DAY_MS : null;
}

/** Milliseconds since midnight, rounded down. Null for a time that does not exist. */
function timeIn(parts: Parts): number | null {
  const [hour, minute, second] = [
    numberIn(parts, 'hour'),
    numberIn(parts, 'minute'),
    numberIn(parts, 'second'),
  ];
  const fraction = parts['fraction'] ?? '';
  if (hour === 24) return minute === 0 && second === 0 && /^0*$/.test(fraction) ? DAY_MS : null;
  if (hour > 23 || minute > 59 || second > 60) return null;
  return hour * HOUR_MS + minute * MINUTE_MS + second * SECOND_MS + fractionOf(lastUnitMs(parts), fraction);
}

/** The smallest unit of the time, in milliseconds. */
function lastUnitMs(parts: Parts): number {
  if (parts['second'] !== undefined) return SECOND_MS;
  return parts['minute'] === undefined ? HOUR_MS : MINUTE_MS;
}

/** Rounded down; exact for any number of digits. */
function fractionOf(unitMs: number, digits: string): number {
  return Number((BigInt(digits || 0) * BigInt(unitMs)) / 10n ** BigInt(digits.length));
}

/** Milliseconds ahead of UTC. Null for an offset that does not exist. */
function offsetIn(parts: Parts): number | null {
  const [hour, minute] = [numberIn(parts, 'offsetHour'), numberIn(parts, 'offsetMinute')];
  if (hour > 23 || minute > 59) return null;
  return (parts['sign'] === '-' ? -1 : 1) * (hour * HOUR_MS + minute * MINUTE_MS);
}

/** A leap second ends a day in UTC, whatever the local time is. */
function beginsDay(instant: number): boolean {
  return Math.floor(instant / SECOND_MS) % (DAY_MS / SECOND_MS) === 0;
}

function numberIn(parts: Parts, name: string): number {
  return Number(parts[name] ?? 0);
}

/** Unlike `Date.UTC`, reads the years 0 to 99 as they are. */
function midnightOf(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day);
}
