import type { PlainDate } from '@counterfoil/kernel';
import type { Page, PageRequest } from '@counterfoil/pagination';
import type { DocumentHeader, DocumentItem, DocumentPayment, DocumentStatus } from '../../domain/document';
import type { DocumentType } from '../../domain/document-type';

export interface DocumentRecord extends DocumentHeader {
  readonly items: readonly DocumentItem[];
  readonly payments: readonly DocumentPayment[];
  /** For a receipt: its allocations. For a paid document: its receipts. In the order of their creation. */
  readonly allocations: readonly DocumentLink[];
  /** The ids of the documents that it covers. */
  readonly linkedDocumentIds: readonly number[];
  readonly entity: { readonly id: number; readonly visibleId: string; readonly name: string };
}

/** A document at the other end of an allocation, and the amount. */
interface DocumentLink {
  readonly documentId: number;
  readonly visibleId: string;
  readonly type: DocumentType;
  readonly number: number;
  readonly amount: number;
}

export interface DocumentFilter {
  readonly type?: DocumentType | undefined;
  readonly entityId?: number | undefined;
  readonly status?: DocumentStatus | undefined;
  /** Issued on or after. */
  readonly startDate?: PlainDate | undefined;
  /** Issued on or before. */
  readonly endDate?: PlainDate | undefined;
  /**
   * Part of the number, the external id, the notes, the allocation number, or the entity's name or tax id. Case does
   * not matter, and `%`, `_` and `\\` are literal.
   */
  readonly search?: string | undefined;
}

/**
 * A place in the order of a company's changes: behind the document `documentId` among those changed by
 * `changeNumber`. Documents of one change follow each other by id.
 */
export interface FeedPosition {
  readonly changeNumber: number;
  readonly documentId: number;
}

/** A place in the order of one epoch: see `Epochs`. */
export interface FeedStart extends FeedPosition {
  readonly epoch: string;
}

/** Read by one statement. */
export interface FeedBatch {
  /** The oldest change first. */
  readonly documents: readonly DocumentHeader[];
  /** The number of changes left in the feed, including these. */
  readonly total: number;
  /** In which all of this was read. */
  readonly epoch: string;
  /** The company's last change; 0 when it has none. */
  readonly lastChange: number;
}

/** By which of its ids a document is looked up. */
export type DocumentKey =
  { readonly id: number } | { readonly visibleId: string } | { readonly externalId: string };

/** Reads documents. */
export abstract class DocumentReader {
  /** Null when this company has no such document. */
  abstract find(companyId: number, key: DocumentKey): Promise<DocumentRecord | null>;
  /** Newest issued first. */
  abstract list(companyId: number, filter: DocumentFilter, page: PageRequest): Promise<Page<DocumentHeader>>;

  /** The documents whose last change is behind a position, each once, at its last change. */
  abstract changedSince(
    companyId: number,
    filter: DocumentFilter,
    position: FeedPosition,
    limit: number,
  ): Promise<FeedBatch>;

  /**
   * The position before every change that was committed at `since` or later. The last change before that time is
   * behind it too, since it may have been committed after. Null when `since` is still to come: nothing is behind it.
   */
  abstract positionAt(companyId: number, since: Date): Promise<FeedStart | null>;
}
