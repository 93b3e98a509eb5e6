/** The time, as a port: that of the database, and tests bring their own. */
export abstract class Clock {
  abstract now(): Date;
}

/** When a change at `now` is dated: later than what was told before it, whatever the clocks of processes do. */
export function datedAfter(before: Date, now: Date): Date {
  return now > before ? now : new Date(before.getTime() + 1);
}
