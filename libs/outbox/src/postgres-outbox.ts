import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { managerOf, Sql } from '@counterfoil/database';
import { Clock, type Transaction, Transactions } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { JobQueue } from '@counterfoil/queue';
import { Injectable } from '@nestjs/common';
import { type NewEvent, Outbox, type RelayedEvent } from './outbox';

/** Of one process. */
const SIGNALS_WAITING_MAX = 64;
/**
 * Between two signals of one process: those that fall into it are one. A job for each commit would cost as much again,
 * and a queue that has become slow is not made slower.
 */
const SIGNAL_PAUSE_MS = 25;
const SIGNAL_PAUSE_MAX_MS = 1_000;
const SIGNAL_SHARE_MAX = 0.1;

@Injectable()
export class PostgresOutbox extends Outbox {
  private signalling = false;
  private signalAgain = false;
  private signalCount = 0;
  private readonly signalPrefix = randomBytes(6).toString('hex');

  constructor(
    private readonly transactions: Transactions,
    private readonly sql: Sql,
    private readonly queue: JobQueue,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {
    super();
  }

  override async append(tx: Transaction, companyId: number, events: readonly NewEvent[]): Promise<void> {
    if (events.length === 0) return;
    const createdAt = this.clock.now();
    const created = Math.floor(createdAt.getTime() / 1000);
    const rows = events.map(({ type, data }) => {
      const id = `evt_${randomBytes(16).toString('hex')}`;
      return { id, type, body: JSON.stringify({ id, type, created, data }) };
    });
    await managerOf(tx).query(
      `insert into outbox_events (id, company_id, type, body, created_at)
       select id, $1, type, body, $2 from unnest($3::text[], $4::text[], $5::text[]) as e (id, type, body)`,
      [
        companyId,
        createdAt,
        rows.map(({ id }) => id),
        rows.map(({ type }) => type),
        rows.map(({ body }) => body),
      ],
    );
    this.transactions.afterCommit(tx, () => this.signal());
  }

  override async takeUnrelayed(tx: Transaction, limit: number): Promise<RelayedEvent[]> {
    const [rows] = await managerOf(tx).query<[RelayedEvent[], number]>(
      // Materialized, so that the limit holds whatever plan is chosen.
      `with taken as materialized (
         select sequence from outbox_events where relayed_at is null order by sequence limit $1 for update skip locked
       )
       update outbox_events e set relayed_at = $2 from taken where e.sequence = taken.sequence
       returning e.id, e.company_id as "companyId", e.type`,
      [limit, this.clock.now()],
    );
    return rows;
  }

  override async bodyOf(eventId: string): Promise<string | null> {
    const [row] = await this.sql.rows<{ body: string }>('select body from outbox_events where id = $1', [
      eventId,
    ]);
    return row?.body ?? null;
  }

  /** The first at once; those that come within a pause of it share the next one, which is sent after their commit. */
  override signal(): void {
    this.signalAgain = true;
    if (!this.signalling) void this.sendSignals();
  }

  /**
   * One of a few, so that signals which no worker takes do not pile up: a job with the id that is still waiting will
   * look later than now, which is all that is asked for.
   */
  private nextSignalId(): string {
    this.signalCount += 1;
    return `${this.signalPrefix}-${this.signalCount % SIGNALS_WAITING_MAX}`;
  }

  private async sendSignals(): Promise<void> {
    this.signalling = true;
    while (this.signalAgain) {
      this.signalAgain = false;
      const started = performance.now();
      try {
        await this.queue.add('outbox.relay', [{ id: this.nextSignalId(), payload: {} }]);
      } catch (error) {
        this.log.warn({ error }, 'the worker could not be signalled; it will find the event by itself');
      }
      const pauseMs = (performance.now() - started) / SIGNAL_SHARE_MAX;
      const bounded = Math.min(Math.max(pauseMs, SIGNAL_PAUSE_MS), SIGNAL_PAUSE_MAX_MS);
      await sleep(bounded, undefined, { ref: false });
    }
    this.signalling = false;
  }
}
