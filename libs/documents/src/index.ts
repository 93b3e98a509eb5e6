export { DOCUMENTS_COMPANY_DATA } from './adapters/postgres/company-data.sql';
export { DOCUMENTS_MIGRATIONS } from './adapters/postgres/migrations';
export { AllocateReceipt, type AllocatedReceipt } from './application/allocate-receipt';
export { AssignAllocationNumber } from './application/assign-allocation-number';
export { BillRetainer } from './application/bill-retainer';
export { CancelDocument } from './application/cancel-document';
export { CancelSupplierInvoice } from './application/cancel-supplier-invoice';
export { CloseDocument } from './application/close-document';
export { CreateRetainer } from './application/create-retainer';
export { CreateSupplierInvoice } from './application/create-supplier-invoice';
export { type Drafted } from './application/document-drafts';
export { partiesOf } from './application/document-parties';
export { EndRetainer } from './application/end-retainer';
export { DOCUMENT, INVOICE, snapshotOf } from './application/document-snapshot';
export { actorOf, DOCUMENT_EVENTS } from './application/events';
export { IssueDocument, type IssuedDocument } from './application/issue-document';
export { PreviewDocument, type Previewed } from './application/preview-document';
export { RequestAllocationNumber } from './application/request-allocation-number';
export { RETAINER_EVENTS } from './application/retainer-events';
export { RecoverAllocationNumbers } from './application/recover-allocation-numbers';
export { ReadAccountStatement, type StatementChoice } from './application/read-account-statement';
export { type DocumentBatch, ReadChangeFeed } from './application/read-change-feed';
export { type IssuedContent, ReadIssuedDocument } from './application/read-issued-document';
export {
  DocumentReader,
  type DocumentFilter,
  type DocumentRecord,
  type IssuedKey,
  type IssuedReference,
  type ListedDocument,
} from './application/ports/document.reader';
export { SealedRefreshTokens } from './application/ports/sealed-refresh-tokens';
export { type AskedSending, type RetainerDocument, RetainerMails } from './application/ports/retainer-mails';
export { RetainerReader, type RetainerRow } from './application/ports/retainer.reader';
export {
  SUPPLIER_INVOICE_FILTERS,
  type SupplierInvoiceKey,
  SupplierInvoiceReader,
  type SupplierInvoiceRow,
} from './application/ports/supplier-invoice.reader';
export {
  ALLOCATION_NUMBER_STATUSES,
  type AllocationNumberStatus,
  DOCUMENT_STATUSES,
  isOpen,
  periodOf,
  type IssuedOrReceived,
  PAYMENT_MEANS,
  type DocumentHeader,
  type DocumentStatus,
  type PaymentMeans,
  type Period,
} from './domain/document';
export { type AccountStatement, STATEMENT_ENTRIES } from './domain/account-statement';
export {
  asksForPayment,
  DOCUMENT_TYPES,
  type DocumentType,
  isPayable,
  parseDocumentType,
} from './domain/document-type';
export { type NewDocument, type NewItem } from './domain/draft-document';
export {
  type NewRetainer,
  RETAINER_ACTOR,
  RETAINER_DOCUMENT_TYPES,
  type RetainerDocumentType,
  type RetainerSending,
} from './domain/retainer';
export { asDocument, type SupplierInvoice, type SupplierInvoiceDetails } from './domain/supplier-invoice';
export { roundingOf, vatByRate, type VatOfRate } from './domain/totals';
export { payableAfter, type Withheld, withheldFrom, type Withholding } from './domain/withholding';
export { DocumentsModule } from './documents.module';
export { RetainersModule } from './retainers.module';
export { SealedRefreshTokensModule } from './sealed-refresh-tokens.module';
export { DOCUMENT_JOBS } from './application/jobs';
export { DocumentCounts, DOCUMENTS_COUNTED_MAX } from './application/ports/document-counts';
export { DocumentCountsModule } from './document-counts.module';
