import { managerOf, Sql } from '@counterfoil/database';
import type { Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import {
  type Replay,
  type ReplayProgress,
  type ReplayRange,
  ReplayRepository,
  type ReplayStep,
} from '../../application/ports/replay.repository';
import type { EndpointRef } from '../../domain/endpoint';

interface StepRow {
  readonly seen: number;
  readonly replayed: number;
  readonly lastAt: Date | null;
  readonly lastId: number | null;
}

@Injectable()
export class PostgresReplayRepository extends ReplayRepository {
  constructor(private readonly sql: Sql) {
    super();
  }

  override async insert(tx: Transaction, range: ReplayRange, now: Date): Promise<number> {
    const { companyId, endpointId, since, until, state } = range;
    const [row] = await managerOf(tx).query<{ id: number }[]>(
      `insert into webhook_replays (company_id, endpoint_id, since, until, state, position_at, created_at)
       values ($1, $2, $3, $4, $5, $3, $6) returning id`,
      [companyId, endpointId, since, until, state, now],
    );
    return row?.id ?? 0;
  }

  override async lock(tx: Transaction, replayId: number): Promise<Replay | null> {
    const [row] = await managerOf(tx).query<(ReplayRange & { id: number; at: Date; last: number })[]>(
      `select id, company_id as "companyId", endpoint_id as "endpointId", since, until, state,
              position_at as at, position_id as last
         from webhook_replays where id = $1 and finished_at is null for update skip locked`,
      [replayId],
    );
    if (!row) return null;
    const { at, last, ...replay } = row;
    return { ...replay, position: { createdAt: at, deliveryId: last } };
  }

  override async step(tx: Transaction, replay: Replay, now: Date, limit: number): Promise<ReplayStep> {
    const { endpointId, until, state, position } = replay;
    const [row] = await managerOf(tx).query<StepRow[]>(
      `with batch as materialized (
         select id, created_at from webhook_deliveries
          where endpoint_id = $1 and (created_at, id) > ($2, $3) and created_at <= $4
            and (case when $5::text is null then state <> 'pending' else state = $5 end)
          order by created_at, id limit $6
       ), replayed as (
         update webhook_deliveries d set state = 'pending', tries = 0, next_attempt_at = $7, finished_at = null
           from batch
          where d.id = batch.id and (case when $5::text is null then d.state <> 'pending' else d.state = $5 end)
         returning 1
       ), last as (
         select created_at, id from batch order by created_at desc, id desc limit 1
       )
       select (select count(*) from batch) as seen, (select count(*) from replayed) as replayed,
              last.created_at as "lastAt", last.id as "lastId"
         from (select 1) as one left join last on true`,
      [endpointId, position.createdAt, position.deliveryId, until, state, limit, now],
    );
    const { seen = 0, replayed = 0, lastAt = null, lastId = null } = row ?? {};
    const next = seen === limit && lastAt && lastId ? { createdAt: lastAt, deliveryId: lastId } : null;
    await managerOf(tx).query(
      `update webhook_replays set deliveries = deliveries + $2, position_at = coalesce($3, position_at),
              position_id = coalesce($4, position_id), finished_at = $5
        where id = $1`,
      [replay.id, replayed, lastAt, lastId, next ? null : now],
    );
    return { replayed, position: next };
  }

  override async running(tx: Transaction, endpointId: string): Promise<number | null> {
    const [row] = await managerOf(tx).query<{ id: number }[]>(
      'select id from webhook_replays where endpoint_id = $1 and finished_at is null order by id limit 1',
      [endpointId],
    );
    return row?.id ?? null;
  }

  override async unfinished(limit: number): Promise<number[]> {
    const rows = await this.sql.rows<{ id: number }>(
      'select id from webhook_replays where finished_at is null order by id limit $1',
      [limit],
    );
    return rows.map(({ id }) => id);
  }

  override async end(tx: Transaction, endpointId: string, now: Date): Promise<void> {
    await managerOf(tx).query(
      'update webhook_replays set finished_at = $2 where endpoint_id = $1 and finished_at is null',
      [endpointId, now],
    );
  }

  override async find(
    { companyId, endpointId }: EndpointRef,
    replayId: number,
  ): Promise<ReplayProgress | null> {
    const [row] = await this.sql.rows<ReplayProgress>(
      `select id, since, until, state, deliveries, created_at as "createdAt", finished_at as "finishedAt"
         from webhook_replays where id = $3 and endpoint_id = $2 and company_id = $1`,
      [companyId, endpointId, replayId],
    );
    return row ?? null;
  }
}
