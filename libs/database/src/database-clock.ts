import { Clock } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Gauge, register } from 'prom-client';
import { DataSource } from 'typeorm';

const READINGS_AT_START = 5;
/** Oscillators drift by milliseconds per hour, but a failover can change the time at once. */
const PAUSE_MS = 5_000;
const TOLERATED_OFFSET_MS = 5_000;
const WARNING_PAUSE_MS = 600_000;
const READ_TIME = 'select extract(epoch from clock_timestamp())::float8 * 1000 as ms';

/**
 * The time of the database, so that all processes agree on leases, due times and days, whatever their own
 * clocks show. It is read at the start and at intervals. In between, the monotonic clock of this process
 * continues it.
 */
@Injectable()
export class DatabaseClock extends Clock implements OnModuleInit, OnApplicationShutdown {
  /** The time of the database minus the monotonic clock. */
  private aheadMs = performance.timeOrigin;
  private wasRead = false;
  private timer: NodeJS.Timeout | undefined;
  private warnedAt = -Infinity;

  constructor(
    private readonly dataSource: DataSource,
    private readonly log: Log,
  ) {
    super();
  }

  override now(): Date {
    return new Date(performance.now() + this.aheadMs);
  }

  /** The system's clock minus the database's, in milliseconds. */
  get systemOffsetMs(): number {
    return Date.now() - this.now().getTime();
  }

  async onModuleInit(): Promise<void> {
    await this.read(READINGS_AT_START);
    this.warnOfOffset();
    this.measureOffset();
    this.readLater();
  }

  private measureOffset(): void {
    const name = 'counterfoil_clock_offset_seconds';
    const seconds = () => this.systemOffsetMs / 1_000;
    // Tests open several contexts in one process. The latest one is measured.
    register.removeSingleMetric(name);
    new Gauge({
      name,
      help: "This machine's clock minus the database's, which the service uses",
      collect() {
        this.set(seconds());
      },
    });
  }

  onApplicationShutdown(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private readLater(): void {
    this.timer = setTimeout(() => void this.readAgain(), PAUSE_MS).unref();
  }

  private async readAgain(): Promise<void> {
    try {
      const before = this.aheadMs;
      await this.read(1);
      this.warnOfJump(this.aheadMs - before);
      this.warnOfOffset();
    } catch (error) {
      this.log.debug({ error }, "the database's time could not be read; the last reading is continued");
    }
    // `onApplicationShutdown` may have cleared the timer meanwhile.
    if (this.timer) this.readLater();
  }

  private async read(count: number): Promise<void> {
    const runner = this.dataSource.createQueryRunner();
    try {
      // Connect before measuring: the wait for a connection would make the reading less exact.
      await runner.connect();
      for (let done = 0; done < count; done++) {
        const sentAt = performance.now();
        const [row] = (await runner.query(READ_TIME)) as { ms: number }[];
        if (row) this.adjust(row.ms - performance.now(), row.ms - sentAt);
      }
    } finally {
      await runner.release();
    }
  }

  /**
   * A reading yields only a lower and an upper bound, so a slow reading does not spoil an earlier, more exact
   * one.
   */
  private adjust(leastMs: number, mostMs: number): void {
    const known = this.wasRead ? this.aheadMs : (leastMs + mostMs) / 2;
    this.aheadMs = Math.min(Math.max(known, leastMs), mostMs);
    this.wasRead = true;
  }

  /**
   * The monotonic clock stands still while the machine is suspended, and a failover may lead to a server with
   * another time. Until the next reading, documents may have got the wrong day.
   */
  private warnOfJump(jumpMs: number): void {
    if (Math.abs(jumpMs) <= TOLERATED_OFFSET_MS) return;
    this.log.warn(
      { jumpMs: Math.round(jumpMs), withinMs: PAUSE_MS },
      "the database's time has jumped, or this machine was suspended: what was done since the last reading has the old time",
    );
  }

  private warnOfOffset(): void {
    const offsetMs = Math.round(this.systemOffsetMs);
    if (Math.abs(offsetMs) <= TOLERATED_OFFSET_MS) {
      this.warnedAt = -Infinity;
      return;
    }
    if (performance.now() - this.warnedAt < WARNING_PAUSE_MS) return;
    this.warnedAt = performance.now();
    this.log.warn(
      { offsetMs },
      "this machine's clock differs from the database's, which the service uses: check the time of both machines",
    );
  }
}
