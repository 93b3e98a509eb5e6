import { EPOCH } from '@counterfoil/database';
import { matchingSql, type Statement } from '@counterfoil/lists';
import type { DocumentFilter, FeedPosition } from '../../application/ports/document.reader';
import { HEADER_COLUMNS } from './document-columns';
import { documentsBehindSql } from './document-counts.list';
import { DOCUMENTS } from './document.list';

/**
 * Reads one batch of the change feed: the documents after a position. Each row also has the total, the epoch
 * and the company's last change. It is a single statement, so all values are from one snapshot and epoch. It
 * always returns at least one row.
 */
export function feedSql(
  companyId: number,
  filter: DocumentFilter,
  { changeNumber, documentId }: FeedPosition,
  limit: number,
): Statement {
  const parameters: unknown[] = [companyId];
  const conditions = conditionsOf(parameters, filter);
  const next = parameters.length + 1;
  const behind = `(d.change_number, d.id) > ($${next}::bigint, $${next + 1}::bigint)`;
  const total = documentsBehindSql(conditions, behind, `$${next}::bigint`);
  const sql = `
    select state.epoch, state."lastChange", page.*
      from (select ${EPOCH} as epoch, coalesce((
              select change_number from documents where company_id = $1 order by change_number desc limit 1
            ), 0) as "lastChange") state
      left join lateral (
        select ${HEADER_COLUMNS}, (${total}) as total
          from documents d where ${conditions.where} and ${behind}
         order by d.change_number, d.id limit $${next + 2}) page on true`;
  return [sql, [...parameters, changeNumber, documentId, limit]];
}

/**
 * The filters of the document list as conditions on `documents d`. The feed does not use the list definition,
 * because its order differs.
 */
function conditionsOf(parameters: unknown[], filter: DocumentFilter) {
  const { from, where, isAll } = matchingSql(DOCUMENTS, parameters, filter);
  const isLookedUp = from !== DOCUMENTS.from;
  return {
    where: isLookedUp ? `d.company_id = $1 and d.id in (select d.id from ${from} where ${where})` : where,
    isAll,
  };
}
