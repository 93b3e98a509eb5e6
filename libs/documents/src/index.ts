export { AllocateReceipt, type AllocatedReceipt } from './application/allocate-receipt';
export { AssignApprovalNumber } from './application/assign-approval-number';
export { BillRetainer } from './application/bill-retainer';
export { CancelDocument } from './application/cancel-document';
export { CancelSupplierInvoice } from './application/cancel-supplier-invoice';
export { CloseDocument } from './application/close-document';
export { CreateRetainer } from './application/create-retainer';
export { CreateSupplierInvoice } from './application/create-supplier-invoice';
export { type Drafted } from './application/document-drafts';
export { EndRetainer } from './application/end-retainer';
export { ISSUANCE_FAULT_POINTS } from './application/issuance-fault-points';
export { IssueDocument, type Issued } from './application/issue-document';
export { type IssuedDocument } from './application/issuances';
export { PreviewDocument } from './application/preview-document';
export { PurgeIdempotencyKeys } from './application/purge-idempotency-keys';
export { RequestApprovalNumber } from './application/request-approval-number';
export { Replays } from './application/replays';
export { SweepApprovals } from './application/sweep-approvals';
export { type DocumentBatch, SweepDocuments } from './application/sweep-documents';
export {
  DocumentReader,
  type DocumentFilter,
  type DocumentLink,
  type DocumentRecord,
  type FeedPosition,
} from './application/ports/document.reader';
export { RetainerReader, type RetainerRow } from './application/ports/retainer.reader';
export {
  type SupplierInvoiceFilter,
  type SupplierInvoiceKey,
  SupplierInvoiceReader,
  type SupplierInvoiceRow,
} from './application/ports/supplier-invoice.reader';
export {
  APPROVAL_NUMBER_STATUSES,
  type ApprovalNumberStatus,
  DOCUMENT_STATUSES,
  isOpen,
  type IssuedOrReceived,
  PAYMENT_METHODS,
  type DocumentHeader,
  type DocumentItem,
  type DocumentPayment,
  type DocumentStatus,
  type PaymentMethod,
} from './domain/document';
export { DOCUMENT_TYPES, parseDocumentType, type DocumentType } from './domain/document-type';
export { type NewDocument, type NewItem, type NewPayment } from './domain/draft-document';
export { type NewRetainer, RETAINER_DOCUMENT_TYPES, type RetainerDocumentType } from './domain/retainer';
export { type NewAllocation } from './domain/settlement';
export { asDocument, type SupplierInvoice, type SupplierInvoiceDetails } from './domain/supplier-invoice';
export { snapshotOf, type DocumentSnapshot } from './domain/snapshot';
export { DocumentsModule } from './documents.module';
