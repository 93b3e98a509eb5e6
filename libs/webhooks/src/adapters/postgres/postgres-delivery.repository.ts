import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseUnavailable, managerOf, Sql } from '@counterfoil/database';
import type { Transaction } from '@counterfoil/kernel';
import type { RelayedEvent } from '@counterfoil/outbox';
import { Injectable } from '@nestjs/common';
import {
  type ClaimedDelivery,
  DeliveryRepository,
  type DueDelivery,
  type MadeAttempt,
} from '../../application/ports/delivery.repository';

/** Within the margin by which a claim outlasts its attempt. */
const RECORD_PATIENCE_MS = 4_000;
const RECORD_PAUSE_MS = 250;

@Injectable()
export class PostgresDeliveryRepository extends DeliveryRepository {
  constructor(private readonly sql: Sql) {
    super();
  }

  /**
   * The endpoints are locked for share: a removal that runs meanwhile waits, and then drops what was made here.
   * Locked in id order, as everywhere.
   */
  override async fanOut(tx: Transaction, events: readonly RelayedEvent[], now: Date): Promise<DueDelivery[]> {
    return managerOf(tx).query<DueDelivery[]>(
      `with event as (
         select * from unnest($1::text[], $2::bigint[], $3::text[]) as e (id, company_id, type)
       ), endpoint as (
         select id, company_id, events from webhook_endpoints
          where company_id = any ($2::bigint[]) and deleted_at is null
          order by id for share
       )
       insert into webhook_deliveries
         (company_id, endpoint_id, event_id, event_type, state, next_attempt_at, created_at)
       select event.company_id, endpoint.id, event.id, event.type, 'pending', $4, $4
         from event join endpoint on endpoint.company_id = event.company_id
          and (event.type = any (endpoint.events) or '*' = any (endpoint.events))
       on conflict on constraint webhook_deliveries_once do nothing
       returning id, attempts, next_attempt_at as "nextAttemptAt"`,
      [
        events.map(({ id }) => id),
        events.map(({ companyId }) => companyId),
        events.map(({ type }) => type),
        now,
      ],
    );
  }

  override async claim(deliveryId: number, now: Date, leaseMs: number): Promise<ClaimedDelivery | null> {
    const [claimed] = await this.sql.rows<ClaimedDelivery>(
      `update webhook_deliveries d set lease_token = $2, lease_until = $4
         from webhook_endpoints e
        where d.id = $1 and e.id = d.endpoint_id and d.state in ('pending', 'waiting') and d.next_attempt_at <= $3
          and (d.lease_until is null or d.lease_until < $3)
        returning d.id, d.event_id as "eventId", d.event_type as "eventType", e.url,
          e.secret_sealed as "secretSealed", d.attempts, d.lease_token as "leaseToken"`,
      [deliveryId, randomUUID(), now, new Date(now.getTime() + leaseMs)],
    );
    return claimed ?? null;
  }

  override async record(claim: ClaimedDelivery, attempt: MadeAttempt): Promise<boolean> {
    // A database that is away for a moment should not have the receiver get the event twice. The claim fences.
    const deadline = Date.now() + RECORD_PATIENCE_MS;
    for (;;) {
      try {
        return await this.recordOnce(claim, attempt);
      } catch (error) {
        if (!isDatabaseUnavailable(error) || Date.now() > deadline) throw error;
        await sleep(RECORD_PAUSE_MS);
      }
    }
  }

  private async recordOnce(
    claim: ClaimedDelivery,
    { startedAt, durationMs, outcome, next }: MadeAttempt,
  ): Promise<boolean> {
    const recorded = await this.sql.rows(
      `with delivery as (
         update webhook_deliveries
            set state = $3, next_attempt_at = $4, attempts = attempts + 1, lease_token = null, lease_until = null,
                finished_at = case when $4::timestamptz is null then $5::timestamptz end
          where id = $1 and lease_token = $2 and state in ('pending', 'waiting')
          returning id, attempts
       )
       insert into webhook_attempts (delivery_id, attempt, started_at, duration_ms, status, failure, response)
       select id, attempts, $6, $7, $8, $9, $10 from delivery
       returning delivery_id`,
      [
        claim.id,
        claim.leaseToken,
        next.state,
        next.nextAttemptAt,
        new Date(startedAt.getTime() + durationMs),
        startedAt,
        durationMs,
        outcome.status,
        outcome.failure,
        outcome.response,
      ],
    );
    return recorded.length === 1;
  }

  override async postpone({ id, leaseToken }: ClaimedDelivery, until: Date): Promise<void> {
    await this.sql.rows(
      `update webhook_deliveries set next_attempt_at = $3, lease_token = null, lease_until = null
        where id = $1 and lease_token = $2 and state in ('pending', 'waiting')`,
      [id, leaseToken, until],
    );
  }

  override async overdue(before: Date, now: Date, limit: number): Promise<DueDelivery[]> {
    return this.sql.rows(
      `select id, attempts, next_attempt_at as "nextAttemptAt" from webhook_deliveries
        where state in ('pending', 'waiting') and next_attempt_at < $1 and (lease_until is null or lease_until < $2)
        order by next_attempt_at limit $3`,
      [before, now, limit],
    );
  }
}
