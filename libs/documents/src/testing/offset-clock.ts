import { Clock } from '@counterfoil/kernel';

/** The real time plus an offset. Documents have the database's time, so this clock must not stand still. */
export class OffsetClock extends Clock {
  private offsetMs = 0;

  override now(): Date {
    return new Date(Date.now() + this.offsetMs);
  }

  advance(milliseconds: number): void {
    this.offsetMs += milliseconds;
  }
}
