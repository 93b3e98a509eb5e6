import { EPOCH, Sql } from '@counterfoil/database';
import { ListSql, readPage } from '@counterfoil/lists';
import type { Page, PageRequest } from '@counterfoil/pagination';
import { Injectable } from '@nestjs/common';
import {
  type DocumentFilter,
  type DocumentKey,
  DocumentReader,
  type DocumentRecord,
  type FeedBatch,
  type FeedPosition,
  type FeedStart,
} from '../../application/ports/document.reader';
import type { DocumentHeader } from '../../domain/document';
import { HEADER_COLUMNS, RECORD_COLUMNS } from './document-columns';
import { documentsBehindSql } from './document-counts-sql';
import { conditionsOf, DOCUMENTS } from './document.list';

const NEWEST = { by: 'newest', descending: true } as const;
const KEY_COLUMNS = { id: 'd.id', visibleId: 'd.visible_id', externalId: 'd.external_id' } as const;

/**
 * Longer than a transaction of ours can stay open between taking its number and its commit, by the limits of the
 * connection: what was changed longer before a time was committed before it.
 */
const OPEN_TRANSACTION_MAX = "interval '10 minutes'";

type Counted = DocumentHeader & { readonly total: number };

/** A row of a batch, beside what all of it has in common. Without any document there is one of that alone. */
type Fed = Pick<FeedBatch, 'epoch' | 'lastChange'> & (Counted | { readonly id: null });

interface PlaceInTime {
  readonly epoch: string;
  /** Whether the time is still to come. */
  readonly future: boolean;
  readonly last: number | null;
  readonly recent: boolean | null;
}

@Injectable()
export class PostgresDocumentReader extends DocumentReader {
  constructor(private readonly sql: Sql) {
    super();
  }

  override async find(companyId: number, key: DocumentKey): Promise<DocumentRecord | null> {
    const [[column, value]] = Object.entries(key) as [[keyof typeof KEY_COLUMNS, unknown]];
    const [found] = await this.sql.rows<DocumentRecord>(
      `select ${HEADER_COLUMNS}, ${RECORD_COLUMNS}
         from documents d join entities e on e.id = d.entity_id
        where d.company_id = $1 and ${KEY_COLUMNS[column]} = $2`,
      [companyId, value],
    );
    return found ?? null;
  }

  override list(companyId: number, filter: DocumentFilter, page: PageRequest): Promise<Page<DocumentHeader>> {
    return readPage(this.sql, new ListSql(DOCUMENTS, companyId, { filter, sort: NEWEST }), page);
  }

  override async changedSince(
    companyId: number,
    filter: DocumentFilter,
    { changeNumber, documentId }: FeedPosition,
    limit: number,
  ): Promise<FeedBatch> {
    const conditions = conditionsOf(companyId, filter);
    const next = conditions.parameters.length + 1;
    const behind = `(d.change_number, d.id) > ($${next}::bigint, $${next + 1}::bigint)`;
    const total = documentsBehindSql(conditions, behind, `$${next}::bigint`);
    // In one statement, and so of one moment and one epoch.
    const rows = await this.sql.rows<Fed>(
      `select state.epoch, state."lastChange", page.*
         from (select ${EPOCH} as epoch, coalesce((
                 select change_number from documents where company_id = $1 order by change_number desc limit 1
               ), 0) as "lastChange") state
         left join lateral (
           select ${HEADER_COLUMNS}, (${total}) as total
             from documents d where ${conditions.where} and ${behind}
            order by d.change_number, d.id limit $${next + 2}) page on true`,
      [...conditions.parameters, changeNumber, documentId, limit],
    );
    return batchOf(rows);
  }

  override async positionAt(companyId: number, since: Date): Promise<FeedStart | null> {
    const [row] = await this.sql.rows<PlaceInTime>(
      `select ${EPOCH} as epoch, $2 > clock_timestamp() as future, d.change_number as last,
              d.updated_at >= $2::timestamptz - ${OPEN_TRANSACTION_MAX} as recent
         from (select 1) always
         left join lateral (
           select change_number, updated_at from documents where company_id = $1 and updated_at < $2
            order by updated_at desc, change_number desc limit 1) d on true`,
      [companyId, since],
    );
    if (!row || row.future) return null;
    // One whose commit may have come later is not yet behind the position.
    const documentId = row.recent ? 0 : Number.MAX_SAFE_INTEGER;
    return { epoch: row.epoch, changeNumber: row.last ?? 0, documentId };
  }
}

function batchOf(rows: readonly Fed[]): FeedBatch {
  const [first] = rows;
  if (!first) throw new Error('the statement answers one row at least');
  const { epoch, lastChange } = first;
  if (first.id === null) return { documents: [], total: 0, epoch, lastChange };
  const documents = (rows as readonly (Fed & Counted)[]).map(
    ({ total: _, epoch: _e, lastChange: _l, ...header }) => header,
  );
  // As the page has them: a join promises no order.
  documents.sort((one, other) => one.changeNumber - other.changeNumber || one.id - other.id);
  return { documents, total: first.total, epoch, lastChange };
}
