import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  isDatabaseUnavailable,
  milliseconds,
  Presence,
  SessionSql,
  Sql,
  within,
} from '@counterfoil/database';
import type { Backlog, Transaction } from '@counterfoil/kernel';
import type { RelayedEvent } from '@counterfoil/outbox';
import { Injectable } from '@nestjs/common';
import {
  type AttemptRecord,
  type ClaimedDelivery,
  type Claims,
  DeliveryRepository,
  type NewDelivery,
  type WantedSlots,
} from '../../application/ports/delivery.repository';
import type { EndpointRef } from '../../domain/endpoint';
import {
  BACKLOG,
  CLAIM,
  COUNT_CLAIMED,
  DROP_OF_REMOVED,
  FAN_OUT,
  FIND_OVERDUE,
  FIND_OWNERS,
  FIND_RECORDED,
  FIND_REFERRED_TO,
  FREE_CLAIMS,
  FREE_LOST_CLAIMS,
  GIVE_BACK,
  INSERT,
  LOCK_LANE,
  type LostClaim,
  MERGE_COUNTS,
  PURGE_PAGE,
  RECORD,
  REDELIVER,
} from './delivery.sql';

/**
 * Time limit for recording a result while the database is unavailable. Within it, the receiver does not get
 * the event twice.
 */
const RECORD_PATIENCE_MS = 60_000;
const RECORD_PAUSE_MS = 100;
/**
 * Shorter than a lease. After this time another connection is tried, because a connection hangs if packets
 * are dropped.
 */
const RECORD_TRY_MS = 3_000;

/** The prefix of a lease token identifies its worker. */
const OWNER_LENGTH = 8;
const ownerOf = (worker: number): string => worker.toString(16).padStart(OWNER_LENGTH, '0');

/** Of an endpoint: a list adds them up. */
const COUNTS_MAX = 10;
/** Endpoints whose counts one statement merges. */
const MERGED_AT_ONCE = 1_000;
const PURGE_BATCH = 1_000;

type Recorded = ReadonlyMap<number, Date | null>;

@Injectable()
export class PostgresDeliveryRepository extends DeliveryRepository {
  /**
   * Claims whose answers were lost. Without being freed, they would hold their deliveries until the leases
   * end.
   */
  private lost: readonly LostClaim[] = [];

  constructor(
    private readonly sql: Sql,
    private readonly sessions: SessionSql,
    private readonly presence: Presence,
  ) {
    super();
  }

  override workers(): number {
    return this.presence.processes;
  }

  override fanOut(tx: Transaction, events: readonly RelayedEvent[], now: Date): Promise<EndpointRef[]> {
    return within(tx).rows(FAN_OUT, { events, now });
  }

  override async insert(tx: Transaction, delivery: NewDelivery, now: Date): Promise<number> {
    return (await within(tx).only(INSERT, { delivery, now })).id;
  }

  override async claim(wanted: readonly WantedSlots[], now: Date, leaseMs: number): Promise<Claims> {
    await this.freeLostClaims(now);
    const presence = this.presence.id;
    const token = ownerOf(presence) + randomUUID().slice(OWNER_LENGTH);
    const rows = await this.sessions
      .rows(CLAIM, { wanted, now, lease: milliseconds(leaseMs), token, presence })
      .catch((error: unknown) => {
        if (isDatabaseUnavailable(error))
          this.lost = [...this.lost, ...wanted.map(({ endpointId }) => ({ token, endpointId }))];
        throw error;
      });
    return {
      claimed: rows.filter((row) => row.id !== null),
      cut: rows.filter(({ id }) => id === null).map(({ endpointId }) => endpointId),
    };
  }

  /**
   * No further claim is made until this has succeeded. Otherwise lost claims would accumulate while the
   * database is unavailable.
   */
  private async freeLostClaims(now: Date): Promise<void> {
    const { lost } = this;
    if (lost.length === 0) return;
    await this.sql.rows(FREE_LOST_CLAIMS, { lost, now });
    this.lost = this.lost.filter((claim) => !lost.includes(claim));
  }

  override async record(records: readonly AttemptRecord[]): Promise<Recorded> {
    const deadline = performance.now() + RECORD_PATIENCE_MS;
    /** Tries without an answer. A slow database may still answer them. */
    const open = new Set<Promise<Recorded | null>>();
    while (performance.now() < deadline) {
      const tried = this.tryToRecord(records).finally(() => open.delete(tried));
      open.add(tried);
      // A try that fails after the loop has ended is not awaited.
      tried.catch(() => undefined);
      const recorded = await Promise.race([...open, sleep(RECORD_TRY_MS, null, { ref: false })]);
      if (recorded) return recorded;
      await sleep(RECORD_PAUSE_MS);
    }
    throw new Error('the database was unavailable for too long');
  }

  /** @returns null if the database is unavailable */
  private async tryToRecord(records: readonly AttemptRecord[]): Promise<Recorded | null> {
    try {
      const results = JSON.stringify(records.map(resultOf));
      const rows = await this.sql.rows(RECORD, { results });
      const recorded = new Map(rows.map(({ id, dueAt }) => [id, dueAt]));
      const made = records.filter(({ claim }) => !recorded.has(claim.id)).map(madeOf);
      // Recorded by an earlier try whose answer was lost.
      const before = made.length > 0 ? await this.sql.rows(FIND_RECORDED, { made }) : [];
      for (const { id, dueAt } of before) recorded.set(id, dueAt);
      return recorded;
    } catch (error) {
      if (isDatabaseUnavailable(error)) return null;
      throw error;
    }
  }

  override async giveBack(claims: readonly ClaimedDelivery[], dueAt: Date): Promise<void> {
    await this.sql.rows(GIVE_BACK, { claims, dueAt });
  }

  override async freeClaimsOf(workers: readonly number[], now: Date): Promise<void> {
    await this.sql.rows(FREE_CLAIMS, { owners: workers.map(ownerOf), now });
  }

  override async findOwners(now: Date): Promise<number[]> {
    const rows = await this.sql.rows(FIND_OWNERS, { now });
    return rows.map(({ owner }) => parseInt(owner, 16));
  }

  override overdue(before: Date): Promise<EndpointRef[]> {
    return this.sql.rows(FIND_OVERDUE, { before });
  }

  override backlog(now: Date): Promise<Backlog> {
    return this.sql.only(BACKLOG, { now });
  }

  override async countClaimed(endpointId: string): Promise<number> {
    await this.sql.rows(LOCK_LANE, { endpointId });
    return (await this.sql.only(COUNT_CLAIMED, { endpointId })).count;
  }

  override async redeliver(
    tx: Transaction,
    endpoint: EndpointRef,
    deliveryId: number,
    now: Date,
  ): Promise<boolean> {
    return (await within(tx).changed(REDELIVER, { ...endpoint, deliveryId, now })) === 1;
  }

  override dropOfRemoved(now: Date, limit: number, endpointId: string | null = null): Promise<number> {
    return this.sql.changed(DROP_OF_REMOVED, { now, limit, endpointId });
  }

  override async mergeCounts(): Promise<void> {
    const most = { rowsMax: COUNTS_MAX, endpoints: MERGED_AT_ONCE };
    while ((await this.sql.changed(MERGE_COUNTS, most)) === MERGED_AT_ONCE);
  }

  /** Scans the primary key once, so that rows that are kept are read only once. */
  override async purge(before: Date, signal: AbortSignal): Promise<number> {
    let purged = 0;
    for (let after = 0; ;) {
      const page = await this.sql.only(PURGE_PAGE, { after, before, batch: PURGE_BATCH });
      purged += page.purged;
      if (signal.aborted || !page.last || !page.youngest || page.youngest >= before) return purged;
      after = page.last;
    }
  }

  override async referredTo(eventIds: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.sql.rows(FIND_REFERRED_TO, { eventIds });
    return new Set(rows.map(({ id }) => id));
  }
}

function madeOf({ claim, attempt: { startedAt, durationMs, outcome } }: AttemptRecord) {
  return { id: claim.id, startedAt, durationMs, status: outcome.status };
}

function resultOf({ claim, attempt }: AttemptRecord) {
  const { next, outcome, startedAt, durationMs } = attempt;
  return {
    id: claim.id,
    token: claim.leaseToken,
    tries: claim.tries,
    state: next.state,
    next_at: next.nextAttemptAt,
    started_at: startedAt,
    duration_ms: durationMs,
    status: outcome.status,
    failure: outcome.failure,
    response: outcome.response,
  };
}
