import {
  type DocumentHeader,
  type DocumentRecord,
  type NewDocument,
  snapshotOf,
  type DocumentType,
} from '@counterfoil/documents';
import type { Page } from '@counterfoil/pagination';
import type {
  CreatedDocumentBody,
  DocumentBody,
  DocumentRowBody,
  ExistingDocumentBody,
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
    externalId: body.externalId ?? undefined,
    notes: body.notes ?? undefined,
  };
}

function askedItem(item: NewItemBody): NewDocument['items'][number] {
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

export function createdDocument(document: DocumentHeader): CreatedDocumentBody {
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

export function existingDocument({
  id,
  visibleId,
  type,
  number,
  externalId,
}: DocumentHeader): ExistingDocumentBody {
  return { success: true, id, visibleId, type, number, externalId, alreadyExists: true };
}

/** A row of the listing: the snapshot, but with the number as `id` and the public id as `visibleId` (decisions §12). */
export function documentRow(document: DocumentHeader): DocumentRowBody {
  const { id, visibleId, dueDate, notes, createdAt } = document;
  return { ...snapshotOf(document), id, visibleId, dueDate, notes, createdAt: createdAt.toISOString() };
}

export function documentRecord(document: DocumentRecord): DocumentBody {
  const { items, payments, entity } = document;
  return { ...documentRow(document), items, payments, allocations: [], entity };
}

/** The listing, with its legacy keys beside the common ones (spec: Pagination contract, rule 5). */
export function documentList({ data, pagination }: Page<DocumentHeader>) {
  const rows = data.map(documentRow);
  const { total, page, pageSize } = pagination;
  return { data: rows, pagination, documents: rows, total, page, pageSize };
}
