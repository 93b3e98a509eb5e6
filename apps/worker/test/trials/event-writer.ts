import { setTimeout as sleep } from 'node:timers/promises';
import { Transactions } from '@counterfoil/kernel';
import { type EventType, type NewEvent, Outbox } from '@counterfoil/outbox';
import type { OpenContext, TestDatabase } from '@counterfoil/test-harness';

/** A process has a pool of 20 connections, so further commits wait in this process. */
const COMMITS_AT_ONCE_MAX = 18;
const TICK_MS = 1;
/** If a writer is behind by this factor, it stops: the offered rate is too high. */
const LATE_MAX = 1.5;

/** The company and the type of an event. */
export interface Topic {
  readonly companyId: number;
  readonly type: EventType;
}

export interface WrittenEvent<T extends Topic> {
  readonly topic: T;
  readonly number: number;
  /** Time after the commit: epoch ms with fractions. */
  readonly committedAt: number;
}

export interface Offer<T extends Topic> {
  /** Used in turn. */
  readonly topics: readonly T[];
  readonly perSecond: number;
  readonly durationMs: number;
}

/**
 * Commits events for a running service, each in a transaction of its own, like the API does together with the
 * changes.
 */
export class EventWriter {
  private written = 0;
  private readonly transactions: Transactions;
  private readonly outbox: Outbox;

  constructor(
    context: OpenContext,
    private readonly database: TestDatabase,
  ) {
    this.transactions = context.get(Transactions);
    this.outbox = context.get(Outbox);
  }

  /** Writes each event at its scheduled time, even if previous ones have not been committed (open loop). */
  async offer<T extends Topic>({ topics, perSecond, durationMs }: Offer<T>): Promise<WrittenEvent<T>[]> {
    const total = Math.round((perSecond * durationMs) / 1_000);
    const written: WrittenEvent<T>[] = [];
    const running = new Set<Promise<void>>();
    const started = performance.now();
    for (let begun = 0; begun < total;) {
      const elapsedMs = performance.now() - started;
      if (elapsedMs > durationMs * LATE_MAX) break;
      const due = Math.min(total, Math.floor((elapsedMs * perSecond) / 1_000) + 1);
      for (; begun < due && running.size < COMMITS_AT_ONCE_MAX; begun++) {
        const topic = topics[begun % topics.length];
        if (!topic) throw new Error('no topic to write of');
        const commit: Promise<void> = this.write(topic).then((event) => {
          written.push(event);
          running.delete(commit);
        });
        running.add(commit);
      }
      await sleep(TICK_MS);
    }
    await Promise.all(running);
    return written;
  }

  async write<T extends Topic>(topic: T): Promise<WrittenEvent<T>> {
    const number = this.written++;
    const event = { type: topic.type, data: { number } as object } as NewEvent;
    await this.transactions.run((tx) => this.outbox.append(tx, topic.companyId, [event]));
    return { topic, number, committedAt: performance.timeOrigin + performance.now() };
  }

  /** Returns the ids of the events by their numbers. */
  async idsOf(events: readonly WrittenEvent<Topic>[]): Promise<ReadonlyMap<number, string>> {
    const companies = [...new Set(events.map(({ topic }) => topic.companyId))];
    const since = Math.min(...events.map(({ committedAt }) => committedAt));
    const rows = await this.database.query<{ id: string; number: number }>(
      `select id, (body::jsonb #>> '{data,number}')::int as number from outbox_events
        where company_id = any ($1) and created_at > to_timestamp($2 / 1000.0) - interval '1 minute'`,
      [companies, since],
    );
    return new Map(rows.map(({ id, number }) => [number, id]));
  }
}
