import type { PlainDate } from '@counterfoil/kernel';
import type { Page, PageRequest } from '@counterfoil/pagination';
import type {
  AllocationNumberStatus,
  DocumentHeader,
  DocumentItem,
  DocumentPayment,
  DocumentStatus,
} from '../../domain/document';
import type { DocumentType } from '../../domain/document-type';
import type { Withholding } from '../../domain/withholding';
import type { DocumentParties } from './document-parties';

/** A document in a list, with its client or vendor. */
export interface ListedDocument extends DocumentHeader {
  readonly entity: { readonly id: number; readonly visibleId: string; readonly name: string };
}

/** All that a document says. */
interface DocumentContent extends ListedDocument {
  readonly items: readonly DocumentItem[];
  readonly payments: readonly DocumentPayment[];
  /** For a receipt, its allocations. For a paid document, its receipts. In order of creation. */
  readonly allocations: readonly DocumentLink[];
  /** The ids of the documents that it covers. */
  readonly linkedDocumentIds: readonly number[];
  /** Null if no tax is withheld from its payment. */
  readonly withholding: Withholding | null;
}

/** A document with those that name it. */
export interface DocumentRecord extends DocumentContent {
  /** The credit notes of it that are not cancelled, newest first, up to 200. */
  readonly creditedBy: readonly LinkedDocument[];
  /** The document that covers it, unless that is a receipt. It is the only one, because it closes what it covers. */
  readonly coveredBy: LinkedDocument | null;
}

/** A document that the record names. */
interface OtherDocument {
  readonly documentId: number;
  readonly visibleId: string;
  readonly type: DocumentType;
  readonly number: number;
}

/** The other document of an allocation, and the amount. */
interface DocumentLink extends OtherDocument {
  readonly amount: number;
}

/** A document that names the one of the record. */
interface LinkedDocument extends OtherDocument {
  readonly issueDate: PlainDate;
  readonly currency: string;
  readonly totalWithTax: number;
}

/** A document that another one settled. */
export interface SettledDocument {
  readonly type: DocumentType;
  readonly number: number;
  /** The amount that a receipt pays of it; null for a document that is credited or replaced. */
  readonly amount: number | null;
}

/** A document with what its pages show beside it. */
export interface DocumentWithParties extends DocumentContent {
  /** Null if it was issued before parties were recorded. */
  readonly parties: DocumentParties | null;
  /** The documents that it paid, covered or credited when it was issued; later allocations are not among them. */
  readonly settledAtIssue: readonly SettledDocument[];
}

export interface DocumentFilter {
  readonly type?: DocumentType | undefined;
  readonly entityId?: number | undefined;
  readonly status?: DocumentStatus | undefined;
  /** Issued on this day or later. */
  readonly startDate?: PlainDate | undefined;
  /** Issued on this day or earlier. */
  readonly endDate?: PlainDate | undefined;
  /** Of its allocation number. */
  readonly approvalNumberStatus?: AllocationNumberStatus | undefined;
  /** Open, with a due date before this day. */
  readonly overdueOn?: PlainDate | undefined;
  /**
   * Part of the number, the external id, the notes, the allocation number, or the entity's name or tax id.
   * Case is ignored. `%`, `_` and `\` have no special meaning.
   */
  readonly search?: string | undefined;
}

/**
 * A position in the order of a company's changes: after the document `documentId` of the change
 * `changeNumber`. Documents of one change are ordered by id.
 */
export interface FeedPosition {
  readonly changeNumber: number;
  readonly documentId: number;
}

/** A position with its epoch: see `Epochs`. */
export interface FeedStart extends FeedPosition {
  readonly epoch: string;
}

/** A batch of the feed, read by one statement. */
export interface FeedBatch {
  /** Oldest change first. */
  readonly documents: readonly DocumentHeader[];
  /** The number of documents left in the feed, including these. */
  readonly total: number;
  /** The epoch of the database at the time of the read. */
  readonly epoch: string;
  /** The number of the company's last change; 0 if there is none. */
  readonly lastChange: number;
}

/** The id by which a document is looked up. */
export type DocumentKey =
  { readonly id: number } | { readonly visibleId: string } | { readonly externalId: string };

export type IssuedKey = Exclude<DocumentKey, { readonly externalId: string }>;

/** Names an issued document. Neither field ever changes. */
export interface IssuedReference {
  readonly id: number;
  readonly type: DocumentType;
}

/** Reads documents. */
export abstract class DocumentReader {
  /** Null if this company has no such document. */
  abstract find(companyId: number, key: DocumentKey): Promise<DocumentRecord | null>;
  /** Null if this company has no such document. */
  abstract identify(companyId: number, key: IssuedKey): Promise<IssuedReference | null>;
  /** Null if this company has no such document. */
  abstract findWithParties(companyId: number, key: IssuedKey): Promise<DocumentWithParties | null>;
  /** Lists documents, latest issue date first. */
  abstract list(companyId: number, filter: DocumentFilter, page: PageRequest): Promise<Page<ListedDocument>>;

  /** Returns the documents whose last change is after a position. Each occurs once, at its last change. */
  abstract changedSince(
    companyId: number,
    filter: DocumentFilter,
    position: FeedPosition,
    limit: number,
  ): Promise<FeedBatch>;

  /**
   * Returns the position before every change that was committed at `since` or later. The last change before
   * that time is after the position too, because it may have been committed later. Null if `since` is in the
   * future.
   */
  abstract positionAt(companyId: number, since: Date): Promise<FeedStart | null>;
}
