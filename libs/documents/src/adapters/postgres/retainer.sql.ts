import { statement } from '@counterfoil/database';
import { REFUSED_RUN_COLUMNS, type WithRefusedRunColumns } from '@counterfoil/scheduling';
import type { RetainerRow } from '../../application/ports/retainer.reader';
import type { Retainer } from '../../domain/retainer';

interface OfCompany {
  readonly companyId: number;
}

/** Limits of one batch: rows, and bytes of their items and texts. A batch has at least one row. */
const BATCH = 200;
const BATCH_BYTES = 64 * 1024;

export const NEXT_RETAINERS = statement<
  OfCompany & { readonly after: number },
  WithRefusedRunColumns<RetainerRow>
>(
  'retainers: next',
  `select r.id, r.entity_id as "entityId", r.document_type as "documentType", r.currency, r.items,
          r.send, e.visible_id as "entityVisibleId", e.name as "entityName", s.interval,
          s.next_run_date as "nextRunDate", r.created_at as "createdAt",
          (select json_build_object('id', d.id, 'visibleId', d.visible_id, 'type', d.type, 'number', d.number,
                    'issueDate', d.issue_date)
             from documents d where d.retainer_id = r.id order by d.id desc limit 1) as "lastDocument",
          ${REFUSED_RUN_COLUMNS}
     from (select r.id, sum(size.bytes) over (order by r.id) - size.bytes as bytes_before
             from retainers r join schedules s on s.id = r.id
            cross join lateral (select r.items_bytes + coalesce(octet_length(r.send::text), 0) as bytes) size
            where r.company_id = :companyId and r.id > :after and s.ended_at is null
            order by r.id limit ${BATCH}) batch
     join retainers r on r.id = batch.id join schedules s on s.id = r.id join entities e on e.id = r.entity_id
    where batch.bytes_before < ${BATCH_BYTES}
    order by r.id`,
);

const STANDING = `
  from retainers r join schedules s on s.id = r.id
 where r.company_id = :companyId and r.id = :id and s.ended_at is null`;

export const FIND_RETAINER = statement<OfCompany & { readonly id: number }, Retainer>(
  'retainers: find',
  `select r.id, r.entity_id as "entityId", r.document_type as "documentType", r.currency, r.items, r.send
   ${STANDING}`,
);

export const RETAINER_EXISTS = statement<OfCompany & { readonly id: number }>(
  'retainers: exists',
  `select ${STANDING}`,
);
