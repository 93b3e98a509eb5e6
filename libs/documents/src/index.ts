export { IssueDocument, type IssuedDocument } from './application/issue-document';
export {
  DocumentReader,
  type DocumentFilter,
  type DocumentRecord,
} from './application/ports/document.reader';
export {
  DOCUMENT_STATUSES,
  isOpen,
  PAYMENT_METHODS,
  type DocumentHeader,
  type DocumentItem,
  type DocumentPayment,
  type DocumentStatus,
  type PaymentMethod,
} from './domain/document';
export { DOCUMENT_TYPES, parseDocumentType, type DocumentType } from './domain/document-type';
export { type NewDocument, type NewItem, type NewPayment } from './domain/draft-document';
export { snapshotOf, type DocumentSnapshot } from './domain/snapshot';
export { DocumentsModule } from './documents.module';
