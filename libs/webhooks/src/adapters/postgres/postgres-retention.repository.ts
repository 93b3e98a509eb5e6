import { purgeInBatches, Sql } from '@counterfoil/database';
import { Injectable } from '@nestjs/common';
import { RetentionRepository } from '../../application/ports/retention.repository';

const BATCH = 1_000;

@Injectable()
export class PostgresRetentionRepository extends RetentionRepository {
  constructor(private readonly sql: Sql) {
    super();
  }

  /** Goes once along the primary key, which is in the order of their age, so that what stays is passed only once. */
  override async purgeDeliveries(before: Date, signal: AbortSignal): Promise<number> {
    let purged = 0;
    for (let after = 0; ;) {
      const [page] = await this.sql.rows<{ last: number | null; youngest: Date | null; purged: number }>(
        `with page as materialized (
           select d.id, d.created_at, d.state, d.finished_at, e.deleted_at
             from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
            where d.id > $1 order by d.id limit $3
         ), over as (
           select d.id from webhook_deliveries d join page using (id)
            where d.finished_at < $2
              and (d.state = 'delivered' or (d.state = 'dropped' and page.deleted_at is not null))
            order by d.id for update of d skip locked
         ), purged as (
           delete from webhook_deliveries d using over where d.id = over.id returning d.id
         ), attempts as (
           delete from webhook_attempts a using purged where a.delivery_id = purged.id
         )
         select max(id) as last, max(created_at) as youngest, (select count(*) from purged) as purged from page`,
        [after, before, BATCH],
      );
      purged += page?.purged ?? 0;
      if (signal.aborted || !page?.last || !page.youngest || page.youngest >= before) return purged;
      after = page.last;
    }
  }

  override async purgeEndpoints(before: Date, signal: AbortSignal): Promise<void> {
    const purge = (statement: string) =>
      purgeInBatches((batch) => this.sql.rows(statement, [before, batch]), signal);
    await purge(
      `delete from webhook_replays
        where id in (select id from webhook_replays where finished_at < $1 limit $2) returning 1`,
    );
    await purge(
      `delete from webhook_endpoints
        where id in (
          select id from webhook_endpoints e
           where deleted_at < $1
             and not exists (select 1 from webhook_deliveries d where d.endpoint_id = e.id)
           limit $2)
        returning 1`,
    );
  }

  override async referredTo(eventIds: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.sql.rows<{ id: string }>(
      `select id from unnest($1::text[]) as e (id)
        where exists (select 1 from webhook_deliveries d where d.event_id = e.id)`,
      [eventIds],
    );
    return new Set(rows.map(({ id }) => id));
  }
}
