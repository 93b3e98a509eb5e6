/** The time, as a port: tests bring their own. */
export abstract class Clock {
  abstract now(): Date;
}

/** When a change at `now` is dated: later than what was told before it, whatever the clocks of processes do. */
export function datedAfter(before: Date, now: Date): Date {
  return now > before ? now : new Date(before.getTime() + 1);
}

export class SystemClock extends Clock {
  now(): Date {
    return new Date();
  }
}
