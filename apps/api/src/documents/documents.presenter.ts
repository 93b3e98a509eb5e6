import {
  type AllocatedReceipt,
  asDocument,
  type DocumentBatch,
  type DocumentHeader,
  type DocumentRecord,
  type DocumentType,
  type Drafted,
  type IssuedDocument,
  isOpen,
  type IssuedOrReceived,
  type NewDocument,
  snapshotOf,
  type SupplierInvoiceRow,
} from '@counterfoil/documents';
import { type Page, pageOf } from '@counterfoil/pagination';
import type { PrintableDocument } from './document-page';
import type {
  AllocatedReceiptBody,
  ChangedDocumentBody,
  CreatedDocumentBody,
  DocumentBody,
  DocumentRowBody,
  ExistingDocumentBody,
  FoundDocumentBody,
  PreviewedDocumentBody,
} from './documents.answers';
import type { CreateDocumentBody, NewItemBody, NewPaymentBody } from './documents.dto';

/** What the body asks to be issued. A null in it counts as left out. */
export function askedFor(type: DocumentType, body: CreateDocumentBody): NewDocument {
  return {
    type,
    entityId: body.entityId,
    issueDate: body.issueDate ?? undefined,
    dueDate: body.dueDate ?? undefined,
    currency: body.currency ?? undefined,
    items: (body.items ?? []).map(askedItem),
    payments: (body.payments ?? []).map(askedPayment),
    allocations: body.allocations ?? [],
    linkedDocumentIds: body.linkedDocumentIds ?? [],
    refundOf: body.refundOf ?? null,
    externalId: body.externalId ?? undefined,
    retainerId: body.retainerId ?? undefined,
    notes: body.notes ?? undefined,
  };
}

export function askedItem(item: NewItemBody): NewDocument['items'][number] {
  return {
    description: item.description,
    quantity: item.quantity,
    unitPrice: item.unitPrice,
    discountPercent: item.discountPercent ?? undefined,
    vatRate: item.vatRate ?? undefined,
    productId: item.productId ?? undefined,
  };
}

function askedPayment({ method, amount, date }: NewPaymentBody): NewDocument['payments'][number] {
  return { method, amount, date: date ?? undefined };
}

/** The body of the answer to a call that issues; what is kept under its idempotency key. */
export function issuedAnswer({
  document,
  alreadyExists,
}: IssuedDocument): CreatedDocumentBody | ExistingDocumentBody {
  return alreadyExists ? existingDocument(document) : createdDocument(document);
}

function createdDocument(document: DocumentHeader): CreatedDocumentBody {
  return {
    success: true,
    id: document.id,
    visibleId: document.visibleId,
    type: document.type,
    number: document.number,
    externalId: document.externalId,
    status: document.status,
    approvalNumberStatus: document.approvalNumberStatus,
    taxAuthorityApprovalNumber: document.taxAuthorityApprovalNumber,
    amount: document.amount,
    tax: document.tax,
    totalWithTax: document.totalWithTax,
  };
}

function existingDocument({ id, visibleId, type, number, externalId }: DocumentHeader): ExistingDocumentBody {
  return { success: true, id, visibleId, type, number, externalId, alreadyExists: true };
}

/** A row of the listing: the snapshot, but with the number as `id` and the public id as `visibleId` (decisions §12). */
export function documentRow(document: DocumentHeader): DocumentRowBody {
  return rowOf(document);
}

function rowOf<Document extends IssuedOrReceived>(document: Document) {
  const { id, visibleId, dueDate, refundOf, cancellationReason, notes, createdAt } = document;
  const row = { ...snapshotOf(document), id, visibleId, dueDate, refundOf, cancellationReason, notes };
  return { ...row, createdAt: createdAt.toISOString() };
}

export function documentRecord(document: DocumentRecord): DocumentBody {
  const { items, payments, allocations, linkedDocumentIds, entity } = document;
  return { ...documentRow(document), items, payments, allocations, linkedDocumentIds, entity };
}

/** A supplier invoice as every other document is shown. */
export function receivedDocument(invoice: SupplierInvoiceRow): FoundDocumentBody {
  const { vendorId, vendorVisibleId, vendorName, ...own } = invoice;
  return {
    ...rowOf(asDocument({ ...own, vendorId })),
    items: [],
    payments: [],
    allocations: [],
    linkedDocumentIds: [],
    entity: { id: vendorId, visibleId: vendorVisibleId, name: vendorName },
  };
}

export function changedDocument(document: DocumentHeader): ChangedDocumentBody {
  return { success: true, ...documentRow(document) };
}

export function allocatedReceipt({ receipt, allocations }: AllocatedReceipt): AllocatedReceiptBody {
  return {
    ...changedDocument(receipt),
    allocations: allocations.map(({ document: { id, visibleId, type, number }, amount }) => ({
      documentId: id,
      visibleId,
      type,
      number,
      amount,
    })),
  };
}

export function previewedDocument({ draft, entity }: Drafted): PreviewedDocumentBody {
  const { cancellationReason: _, ...fields } = draft;
  return {
    success: true,
    ...fields,
    number: null,
    isOpen: isOpen(draft.status),
    entity: { id: entity.id, visibleId: entity.visibleId, name: entity.name },
  };
}

export function printable({ draft, company, entity }: Drafted): PrintableDocument {
  return { ...draft, number: null, company, entity };
}

/** The listing, with its legacy keys beside the common ones (spec: Pagination contract, rule 5). */
export function documentList({ data, pagination }: Page<DocumentHeader>) {
  const rows = data.map(documentRow);
  const { total, page, pageSize } = pagination;
  return { data: rows, pagination, documents: rows, total, page, pageSize };
}

/** One batch of a sweep, as a first page of what it still holds (spec: Incremental sync). */
export function documentBatch({ documents, total, nextCursor }: DocumentBatch, limit: number) {
  const { data, pagination } = pageOf(documents.map(documentRow), total, { limit, offset: 0 });
  return { data, total, pagination, nextCursor, hasMore: pagination.hasMore };
}
