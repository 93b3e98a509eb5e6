import { Clock } from '@counterfoil/kernel';

/** A clock that stands still at the time to which it was set. */
export class SetClock extends Clock {
  private time = new Date('2026-11-21T10:00:00.000Z');

  override now(): Date {
    return this.time;
  }

  set(time: string | Date): void {
    this.time = new Date(time);
  }

  advance(milliseconds: number): void {
    this.time = new Date(this.time.getTime() + milliseconds);
  }
}
