/** The time of the database. Tests replace it. */
export abstract class Clock {
  abstract now(): Date;
}

/** Dates a change at `now`, but always after `before`, because the clocks of processes differ. */
export function datedAfter(before: Date, now: Date): Date {
  return now > before ? now : new Date(before.getTime() + 1);
}
