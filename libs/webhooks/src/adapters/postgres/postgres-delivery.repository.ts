import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseUnavailable, managerOf, Presence, Sql } from '@counterfoil/database';
import type { Transaction } from '@counterfoil/kernel';
import type { RelayedEvent } from '@counterfoil/outbox';
import { Injectable } from '@nestjs/common';
import {
  type AttemptRecord,
  type ClaimedDelivery,
  type Claims,
  DeliveryRepository,
  type WantedPlaces,
} from '../../application/ports/delivery.repository';
import type { EndpointRef } from '../../domain/endpoint';
import { PLACES_MAX } from '../../domain/lane';
import {
  CLAIM,
  DROP_OF_REMOVED,
  FAN_OUT,
  FREE_CLAIMS,
  LOCK_LANE,
  OVERDUE,
  RECORD,
} from './delivery-statements';

/** How long a result waits for the database to come back: until then the receiver need not get the event twice. */
const RECORD_PATIENCE_MS = 60_000;
const RECORD_PAUSE_MS = 100;
/** Less than a lease. Then another connection is tried: where packets are dropped, this one hangs. */
const RECORD_TRY_MS = 3_000;

/** The beginning of a lease token tells whose it is. */
const OWNER_LENGTH = 8;
const ownerOf = (worker: number): string => worker.toString(16).padStart(OWNER_LENGTH, '0');

/** A claimed delivery; without an id, an endpoint that others have places of. */
type ClaimRow = Omit<ClaimedDelivery, 'id' | 'leaseToken'> & { readonly id: number | null };

@Injectable()
export class PostgresDeliveryRepository extends DeliveryRepository {
  constructor(
    private readonly sql: Sql,
    private readonly presence: Presence,
  ) {
    super();
  }

  override workers(): number {
    return this.presence.processes;
  }

  override async fanOut(tx: Transaction, events: readonly RelayedEvent[], now: Date): Promise<EndpointRef[]> {
    return managerOf(tx).query<EndpointRef[]>(FAN_OUT, [
      events.map(({ id }) => id),
      events.map(({ companyId }) => companyId),
      events.map(({ type }) => type),
      now,
    ]);
  }

  override async insert(
    tx: Transaction,
    delivery: EndpointRef & { readonly eventId: string; readonly eventType: string },
    now: Date,
  ): Promise<number> {
    const { companyId, endpointId, eventId, eventType } = delivery;
    const [row] = await managerOf(tx).query<{ id: number }[]>(
      `insert into webhook_deliveries
         (company_id, endpoint_id, event_id, event_type, state, next_attempt_at, created_at)
       values ($1, $2, $3, $4, 'pending', $5, $5) returning id`,
      [companyId, endpointId, eventId, eventType, now],
    );
    return row?.id ?? 0;
  }

  override async claim(wanted: readonly WantedPlaces[], now: Date, leaseMs: number): Promise<Claims> {
    const leaseToken = ownerOf(this.presence.id) + randomUUID().slice(OWNER_LENGTH);
    const rows = await this.sql.prepared<ClaimRow>(CLAIM, [
      wanted.map(({ endpointId }) => endpointId),
      wanted.map(({ places }) => places),
      PLACES_MAX,
      now,
      `${leaseMs} milliseconds`,
      leaseToken,
    ]);
    return {
      claimed: rows.filter(({ id }) => id !== null).map((row) => ({ ...row, leaseToken }) as ClaimedDelivery),
      cut: rows.filter(({ id }) => id === null).map(({ endpointId }) => endpointId),
    };
  }

  override async record(records: readonly AttemptRecord[]): Promise<ReadonlyMap<number, Date | null>> {
    const recorded = new Map<number, Date | null>();
    const deadline = performance.now() + RECORD_PATIENCE_MS;
    while (!(await this.tryToRecord(records, recorded))) {
      if (performance.now() > deadline) throw new Error('the database was away for too long');
      await sleep(RECORD_PAUSE_MS);
    }
    return recorded;
  }

  /** @returns false where the database is away */
  private async tryToRecord(
    records: readonly AttemptRecord[],
    recorded: Map<number, Date | null>,
  ): Promise<boolean> {
    const tried = this.recordOnce(records).then(
      (rows) => {
        for (const { id, dueAt } of rows) recorded.set(id, dueAt);
        return true;
      },
      (error: unknown) => {
        if (!isDatabaseUnavailable(error)) throw error;
        return false;
      },
    );
    // Nobody waits for one that fails late.
    tried.catch(() => undefined);
    return Promise.race([tried, sleep(RECORD_TRY_MS, false, { ref: false })]);
  }

  private async recordOnce(
    records: readonly AttemptRecord[],
  ): Promise<readonly { readonly id: number; readonly dueAt: Date | null }[]> {
    // As one text: it is made and read faster than a list for each column.
    return this.sql.prepared(RECORD, [JSON.stringify(records.map(resultOf))]);
  }

  override async giveBack(claims: readonly ClaimedDelivery[], dueAt: Date): Promise<void> {
    await this.sql.rows(
      `update webhook_deliveries d set next_attempt_at = $3, lease_token = null, lease_until = null
         from unnest($1::bigint[], $2::uuid[]) as c (id, token)
        where d.id = c.id and d.lease_token = c.token and d.state in ('pending', 'waiting')`,
      [claims.map(({ id }) => id), claims.map(({ leaseToken }) => leaseToken), dueAt],
    );
  }

  override async freeClaimsOf(workers: readonly number[], now: Date): Promise<void> {
    await this.sql.rows(FREE_CLAIMS, [workers.map(ownerOf), now, 2 * PLACES_MAX]);
  }

  override async overdue(before: Date): Promise<EndpointRef[]> {
    return this.sql.rows<EndpointRef>(OVERDUE, [before]);
  }

  override async countClaimed(endpointId: string): Promise<number> {
    await this.sql.rows(LOCK_LANE, [endpointId]);
    // Among the first, as the function that claims has it.
    const [row] = await this.sql.rows<{ count: number }>(
      `select count(*) filter (where lease_token is not null and lease_until >= now()) as count from (
         select lease_token, lease_until from webhook_deliveries
          where endpoint_id = $1 and state in ('pending', 'waiting') order by next_attempt_at, id limit $2) as first`,
      [endpointId, 2 * PLACES_MAX],
    );
    return row?.count ?? 0;
  }

  override async replay(
    { companyId, endpointId }: EndpointRef,
    deliveryId: number,
    now: Date,
  ): Promise<boolean> {
    const rows = await this.sql.rows(
      `update webhook_deliveries set state = 'pending', tries = 0, next_attempt_at = $4, finished_at = null
        where id = $3 and endpoint_id = $2 and company_id = $1 returning id`,
      [companyId, endpointId, deliveryId, now],
    );
    return rows.length === 1;
  }

  override async dropOfRemoved(now: Date, limit: number, endpointId?: string): Promise<number> {
    return (await this.sql.rows(DROP_OF_REMOVED, [now, limit, endpointId ?? null])).length;
  }
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
