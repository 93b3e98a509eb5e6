import { Clock } from '@counterfoil/kernel';

/** A clock that stands still until it is moved. */
export class FakeClock extends Clock {
  private time = Date.parse('2026-11-21T10:00:00.000Z');

  override now(): Date {
    return new Date(this.time);
  }

  advance(milliseconds: number): void {
    this.time += milliseconds;
  }
}
