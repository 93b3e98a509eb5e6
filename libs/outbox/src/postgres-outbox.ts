import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { managerOf, runPrepared, Sql } from '@counterfoil/database';
import { Clock, type Transaction, Transactions } from '@counterfoil/kernel';
import { JobQueue } from '@counterfoil/queue';
import { Injectable } from '@nestjs/common';
import type { EventType, NewEvent } from './event-definition';
import { Outbox, type RelayedEvent } from './outbox';

/** Of one process. */
const SIGNALS_WAITING_MAX = 64;
/**
 * Between two signals of one process: those that fall into it are one. A job for each commit would cost as much again,
 * and a queue that has become slow is not made slower.
 */
const SIGNAL_PAUSE_MS = 25;
const SIGNAL_PAUSE_MAX_MS = 1_000;
const SIGNAL_SHARE_MAX = 0.1;
const PURGE_PAGE = 1_000;

const APPEND = {
  name: 'outbox_append',
  text: `insert into outbox_events (id, company_id, type, body, created_at, relayed_at)
         select id, $1, type, body, $2, $3
           from unnest($4::text[], $5::text[], $6::text[]) as e (id, type, body)`,
};
const BODIES = { name: 'outbox_bodies', text: 'select id, body from outbox_events where id = any ($1)' };

interface UnstoredEvent {
  readonly type: EventType;
  readonly data: object;
}

interface StoredEvent {
  readonly sequence: number;
  readonly id: string;
  readonly createdAt: Date;
  readonly relayed: boolean;
}

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
  ) {
    super();
  }

  override async append(tx: Transaction, companyId: number, events: readonly NewEvent[]): Promise<void> {
    if (events.length === 0) return;
    await this.insert(tx, companyId, { events, relayed: false });
    this.transactions.afterCommit(tx, () => this.signal());
  }

  override async appendRelayed(tx: Transaction, companyId: number, event: UnstoredEvent): Promise<string> {
    const [id = ''] = await this.insert(tx, companyId, { events: [event], relayed: true });
    return id;
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

  override async bodiesOf(eventIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.sql.prepared<{ id: string; body: string }>(BODIES, [eventIds]);
    return new Map(rows.map(({ id, body }) => [id, body]));
  }

  override async purge(
    before: Date,
    stillNeeded: (eventIds: readonly string[]) => Promise<ReadonlySet<string>>,
    signal: AbortSignal,
  ): Promise<void> {
    for (let after = 0; ;) {
      const page = await this.sql.rows<StoredEvent>(
        `select sequence, id, created_at as "createdAt", relayed_at is not null as relayed
           from outbox_events where sequence > $1 order by sequence limit $2`,
        [after, PURGE_PAGE],
      );
      const old = page.filter(({ createdAt, relayed }) => relayed && createdAt < before);
      const needed = await stillNeeded(old.map(({ id }) => id));
      const done = old.filter(({ id }) => !needed.has(id)).map(({ sequence }) => sequence);
      if (done.length > 0) await this.sql.rows('delete from outbox_events where sequence = any ($1)', [done]);
      const last = page.at(-1);
      // Their sequence is their age, as near as it matters: behind the first page that is young, all are.
      if (signal.aborted || !last || last.createdAt >= before) return;
      after = last.sequence;
    }
  }

  /** The first at once; those that come within a pause of it share the next one, which is sent after their commit. */
  override signal(): void {
    this.signalAgain = true;
    if (!this.signalling) void this.sendSignals();
  }

  /** The ids of what was written, in its order. */
  private async insert(
    tx: Transaction,
    companyId: number,
    { events, relayed }: { readonly events: readonly UnstoredEvent[]; readonly relayed: boolean },
  ): Promise<string[]> {
    const createdAt = this.clock.now();
    const created = Math.floor(createdAt.getTime() / 1000);
    const rows = events.map(({ type, data }) => {
      const id = `evt_${randomBytes(16).toString('hex')}`;
      return { id, type, body: JSON.stringify({ id, type, created, data }) };
    });
    await runPrepared(tx, APPEND, [
      companyId,
      createdAt,
      relayed ? createdAt : null,
      rows.map(({ id }) => id),
      rows.map(({ type }) => type),
      rows.map(({ body }) => body),
    ]);
    return rows.map(({ id }) => id);
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
      await this.queue.signal('outbox.relay', [{ id: this.nextSignalId(), payload: {} }]);
      const pauseMs = (performance.now() - started) / SIGNAL_SHARE_MAX;
      const bounded = Math.min(Math.max(pauseMs, SIGNAL_PAUSE_MS), SIGNAL_PAUSE_MAX_MS);
      await sleep(bounded, undefined, { ref: false });
    }
    this.signalling = false;
  }
}
