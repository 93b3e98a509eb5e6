import { EPOCH } from '@counterfoil/database';
import { matchingSql, type Statement } from '@counterfoil/lists';
import type { DocumentFilter, FeedPosition } from '../../application/ports/document.reader';
import { HEADER_COLUMNS } from './document-columns';
import { documentsBehindSql } from './document-counts.list';
import { DOCUMENTS } from './document.list';

/**
 * A batch of the change feed: the documents behind a position, each with how many there are in all, and the epoch and the
 * last change of the company. One statement, and so of one moment and one epoch: one row at least.
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

/** The filters of the list of documents, as conditions on `documents d`: the feed has an order of its own. */
function conditionsOf(parameters: unknown[], filter: DocumentFilter) {
  const { from, where, isAll } = matchingSql(DOCUMENTS, parameters, filter);
  const isLookedUp = from !== DOCUMENTS.from;
  return {
    where: isLookedUp ? `d.company_id = $1 and d.id in (select d.id from ${from} where ${where})` : where,
    isAll,
  };
}
