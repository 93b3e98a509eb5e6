import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { defer, Sql, within } from '@counterfoil/database';
import { type Backlog, Clock, outsideTraces, type Transaction, Transactions } from '@counterfoil/kernel';
import { JobQueue } from '@counterfoil/queue';
import { currentTrace } from '@counterfoil/tracing';
import { Injectable } from '@nestjs/common';
import type { EventType, NewEvent } from './event-definition';
import { type ExampleEvent, Outbox, type RelayedEvent } from './outbox';
import { APPEND, BACKLOG, FIND_BODIES, NEXT_EVENTS, REMOVE, TAKE_UNRELAYED } from './outbox.sql';

/** Distinct signal ids of one process. */
const SIGNALS_WAITING_MAX = 64;
/**
 * Pause between two signals of one process; signals within a pause are merged. A job for each commit would
 * double its cost, and would slow down a queue that is already slow.
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

  override async appendExample(
    tx: Transaction,
    companyId: number,
    { fanOut, ...event }: ExampleEvent,
  ): Promise<string> {
    const [id = ''] = await this.insert(tx, companyId, { events: [event], relayed: !fanOut });
    if (fanOut) this.transactions.afterCommit(tx, () => this.signal());
    return id;
  }

  override takeUnrelayed(tx: Transaction): Promise<RelayedEvent[]> {
    return within(tx).rows(TAKE_UNRELAYED, { now: this.clock.now() });
  }

  override backlog(): Promise<Backlog> {
    return this.sql.only(BACKLOG, {});
  }

  override async findBodies(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
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
      // Sequence order approximates age: after the first page with a young event, all events are young.
      if (signal.aborted || !last || last.createdAt >= before) return;
      after = last.sequence;
    }
  }

  /**
   * Sends the first signal at once. Signals during the pause are merged into one, sent after the pause and
   * thus after their commits.
   */
  override signal(): void {
    this.signalAgain = true;
    // The loop serves the changes of all callers.
    if (!this.signalling) void outsideTraces(() => this.sendSignals());
  }

  /** Returns the ids of the inserted events, in order. */
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
    const trace = currentTrace();
    await defer(tx, APPEND, { companyId, createdAt, relayedAt, trace, events: stored });
    return stored.map(({ id }) => id);
  }

  /**
   * Returns one of a few ids, so that signals do not pile up while no worker takes them. A job with the same
   * id that is still waiting will run later than now, so a second one is not needed.
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
