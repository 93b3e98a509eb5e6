import { Clock } from '@counterfoil/kernel';

/** The time, set forward: documents bear the database's own, so this one must not stand still behind it. */
export class OffsetClock extends Clock {
  private offsetMs = 0;

  override now(): Date {
    return new Date(Date.now() + this.offsetMs);
  }

  advance(milliseconds: number): void {
    this.offsetMs += milliseconds;
  }
}
