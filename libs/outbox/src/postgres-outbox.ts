import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Sql, within } from '@counterfoil/database';
import { Clock, type Transaction, Transactions } from '@counterfoil/kernel';
import { JobQueue } from '@counterfoil/queue';
import { Injectable } from '@nestjs/common';
import type { EventType, NewEvent } from './event-definition';
import { Outbox, type RelayedEvent } from './outbox';
import { APPEND, FIND_BODIES, NEXT_EVENTS, REMOVE, TAKE_UNRELAYED } from './outbox.sql';

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

interface UnstoredEvent {
  readonly type: EventType;
  readonly data: object;
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

  override takeUnrelayed(tx: Transaction, limit: number): Promise<RelayedEvent[]> {
    return within(tx).rows(TAKE_UNRELAYED, { limit, now: this.clock.now() });
  }

  override async bodiesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.sql.rows(FIND_BODIES, { ids });
    return new Map(rows.map(({ id, body }) => [id, body]));
  }

  override async purge(
    before: Date,
    stillNeeded: (eventIds: readonly string[]) => Promise<ReadonlySet<string>>,
    signal: AbortSignal,
  ): Promise<void> {
    for (let after = 0; ;) {
      const page = await this.sql.rows(NEXT_EVENTS, { after, limit: PURGE_PAGE });
      const old = page.filter(({ createdAt, relayed }) => relayed && createdAt < before);
      const needed = await stillNeeded(old.map(({ id }) => id));
      const done = old.filter(({ id }) => !needed.has(id)).map(({ sequence }) => sequence);
      if (done.length > 0) await this.sql.rows(REMOVE, { sequences: done });
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
    const stored = events.map(({ type, data }) => {
      const id = `evt_${randomBytes(16).toString('hex')}`;
      return { id, type, body: JSON.stringify({ id, type, created, data }) };
    });
    const relayedAt = relayed ? createdAt : null;
    await within(tx).rows(APPEND, { companyId, createdAt, relayedAt, events: stored });
    return stored.map(({ id }) => id);
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
