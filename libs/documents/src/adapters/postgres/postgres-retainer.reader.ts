import { inBatches, Sql } from '@counterfoil/database';
import { REFUSED_RUN_COLUMNS, withRefusal, type WithRefusedRunColumns } from '@counterfoil/scheduling';
import { Injectable } from '@nestjs/common';
import { RetainerReader, type RetainerRow } from '../../application/ports/retainer.reader';

/** What is read at once: so many rows, and of their items so much, but one row at least. */
const BATCH = 200;
const BATCH_BYTES = 64 * 1024;

@Injectable()
export class PostgresRetainerReader extends RetainerReader {
  constructor(private readonly sql: Sql) {
    super();
  }

  override list(companyId: number): AsyncGenerator<readonly RetainerRow[]> {
    return inBatches(null, (last: RetainerRow | undefined) => this.batch(companyId, last?.id ?? 0));
  }

  private async batch(companyId: number, after: number): Promise<RetainerRow[]> {
    const rows = await this.sql.rows<WithRefusedRunColumns<RetainerRow>>(
      `select r.id, r.entity_id as "entityId", r.document_type as "documentType", r.currency, r.items,
              e.visible_id as "entityVisibleId", e.name as "entityName", s.interval,
              s.next_run_date as "nextRunDate", r.created_at as "createdAt",
              (select json_build_object('id', d.id, 'visibleId', d.visible_id, 'type', d.type, 'number', d.number,
                        'issueDate', d.issue_date)
                 from documents d where d.retainer_id = r.id order by d.id desc limit 1) as "lastDocument",
              ${REFUSED_RUN_COLUMNS}
         from (select r.id, sum(r.items_bytes) over (order by r.id) - r.items_bytes as bytes_before
                 from retainers r join schedules s on s.id = r.id
                where r.company_id = $1 and r.id > $2 and s.ended_at is null
                order by r.id limit ${BATCH}) batch
         join retainers r on r.id = batch.id join schedules s on s.id = r.id join entities e on e.id = r.entity_id
        where batch.bytes_before < ${BATCH_BYTES}
        order by r.id`,
      [companyId, after],
    );
    return rows.map(withRefusal);
  }
}
