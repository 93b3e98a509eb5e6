import type { PlainDate } from '@counterfoil/kernel';
import type { Page, PageRequest } from '@counterfoil/pagination';
import type { DocumentHeader, DocumentItem, DocumentPayment, DocumentStatus } from '../../domain/document';
import type { DocumentType } from '../../domain/document-type';

export interface DocumentRecord extends DocumentHeader {
  readonly items: readonly DocumentItem[];
  readonly payments: readonly DocumentPayment[];
  readonly entity: { readonly id: number; readonly visibleId: string; readonly name: string };
}

export interface DocumentFilter {
  readonly type?: DocumentType | undefined;
  readonly entityId?: number | undefined;
  readonly status?: DocumentStatus | undefined;
  /** Issued on or after. */
  readonly startDate?: PlainDate | undefined;
  /** Issued on or before. */
  readonly endDate?: PlainDate | undefined;
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
}
