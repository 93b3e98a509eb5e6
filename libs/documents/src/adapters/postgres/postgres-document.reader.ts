import { Sql } from '@counterfoil/database';
import { ListSql, readPage } from '@counterfoil/lists';
import type { Page, PageRequest } from '@counterfoil/pagination';
import { Injectable } from '@nestjs/common';
import {
  type DocumentFilter,
  type DocumentKey,
  DocumentReader,
  type DocumentRecord,
  type DocumentWithParties,
  type FeedBatch,
  type FeedPosition,
  type FeedStart,
  type IssuedKey,
  type IssuedReference,
  type ListedDocument,
} from '../../application/ports/document.reader';
import type { DocumentHeader } from '../../domain/document';
import { feedSql } from './document-feed.list';
import { DOCUMENTS } from './document.list';
import { FIND, FIND_PLACE_IN_TIME, FIND_WITH_PARTIES, IDENTIFY } from './document.sql';

const NEWEST = { by: 'newest', descending: true } as const;
type Counted = DocumentHeader & { readonly total: number };

/**
 * A row of a batch. The fields besides the document are the same in all rows. Without documents there is one
 * row with only those fields.
 */
type Fed = Pick<FeedBatch, 'epoch' | 'lastChange'> & (Counted | { readonly id: null });

@Injectable()
export class PostgresDocumentReader extends DocumentReader {
  constructor(private readonly sql: Sql) {
    super();
  }

  override find(companyId: number, key: DocumentKey): Promise<DocumentRecord | null> {
    if ('id' in key) return this.sql.first(FIND.byId, { companyId, ...key });
    if ('visibleId' in key) return this.sql.first(FIND.byVisibleId, { companyId, ...key });
    return this.sql.first(FIND.byExternalId, { companyId, ...key });
  }

  override identify(companyId: number, key: IssuedKey): Promise<IssuedReference | null> {
    if ('id' in key) return this.sql.first(IDENTIFY.byId, { companyId, ...key });
    return this.sql.first(IDENTIFY.byVisibleId, { companyId, ...key });
  }

  override findWithParties(companyId: number, key: IssuedKey): Promise<DocumentWithParties | null> {
    if ('id' in key) return this.sql.first(FIND_WITH_PARTIES.byId, { companyId, ...key });
    return this.sql.first(FIND_WITH_PARTIES.byVisibleId, { companyId, ...key });
  }

  override list(companyId: number, filter: DocumentFilter, page: PageRequest): Promise<Page<ListedDocument>> {
    return readPage(this.sql, new ListSql(DOCUMENTS, companyId, { filter, sort: NEWEST }), page);
  }

  override async changedSince(
    companyId: number,
    filter: DocumentFilter,
    position: FeedPosition,
    limit: number,
  ): Promise<FeedBatch> {
    return batchOf(await this.sql.rows<Fed>(...feedSql(companyId, filter, position, limit)));
  }

  override async positionAt(companyId: number, since: Date): Promise<FeedStart | null> {
    const place = await this.sql.only(FIND_PLACE_IN_TIME, { companyId, since });
    if (place.future) return null;
    // A change that may have been committed after `since` must still be after the position.
    const documentId = place.recent ? 0 : Number.MAX_SAFE_INTEGER;
    return { epoch: place.epoch, changeNumber: place.last ?? 0, documentId };
  }
}

function batchOf(rows: readonly Fed[]): FeedBatch {
  const [first] = rows;
  if (!first) throw new Error('the statement must return at least one row');
  const { epoch, lastChange } = first;
  if (first.id === null) return { documents: [], total: 0, epoch, lastChange };
  const documents = (rows as readonly (Fed & Counted)[]).map(
    ({ total: _, epoch: _e, lastChange: _l, ...header }) => header,
  );
  // In the order of the page, because a join does not preserve it.
  documents.sort((one, other) => one.changeNumber - other.changeNumber || one.id - other.id);
  return { documents, total: first.total, epoch, lastChange };
}
