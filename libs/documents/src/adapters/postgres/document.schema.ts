import { fine, generatedId, money, percent, wholeNumber } from '@counterfoil/database';
import { EntitySchema } from 'typeorm';
import type { DocumentHeader, DocumentItem, DocumentPayment } from '../../domain/document';

export interface DocumentRow extends DocumentHeader {
  readonly companyId: number;
}

export const DocumentSchema = new EntitySchema<DocumentRow>({
  name: 'Document',
  tableName: 'documents',
  columns: {
    id: generatedId,
    visibleId: { type: 'uuid', name: 'visible_id' },
    companyId: { ...wholeNumber, name: 'company_id' },
    type: { type: 'text' },
    number: wholeNumber,
    externalId: { type: 'text', name: 'external_id', nullable: true },
    entityId: { ...wholeNumber, name: 'entity_id' },
    retainerId: { ...wholeNumber, name: 'retainer_id', nullable: true },
    issueDate: { type: 'date', name: 'issue_date' },
    dueDate: { type: 'date', name: 'due_date', nullable: true },
    currency: { type: 'text' },
    amount: money,
    tax: money,
    totalWithTax: { ...money, name: 'total_with_tax' },
    status: { type: 'text' },
    remainingAmount: { ...money, name: 'remaining_amount' },
    coveredAmount: { ...money, name: 'covered_amount' },
    taxAuthorityApprovalNumber: { type: 'text', name: 'tax_authority_approval_number', nullable: true },
    approvalNumberStatus: { type: 'text', name: 'approval_number_status', nullable: true },
    cancelled: { type: 'boolean' },
    notes: { type: 'text', nullable: true },
    createdAt: { type: 'timestamptz', name: 'created_at' },
    updatedAt: { type: 'timestamptz', name: 'updated_at' },
  },
});

export interface DocumentItemRow extends DocumentItem {
  readonly documentId: number;
  readonly position: number;
}

export const DocumentItemSchema = new EntitySchema<DocumentItemRow>({
  name: 'DocumentItem',
  tableName: 'document_items',
  columns: {
    documentId: { ...wholeNumber, name: 'document_id', primary: true },
    position: { type: 'integer', primary: true },
    description: { type: 'text' },
    quantity: fine,
    unitPrice: { ...fine, name: 'unit_price' },
    discountPercent: { ...percent, name: 'discount_percent' },
    vatRate: { ...percent, name: 'vat_rate' },
    productId: { ...wholeNumber, name: 'product_id', nullable: true },
    lineTotal: { ...money, name: 'line_total' },
  },
});

export interface DocumentPaymentRow extends DocumentPayment {
  readonly documentId: number;
  readonly position: number;
}

export const DocumentPaymentSchema = new EntitySchema<DocumentPaymentRow>({
  name: 'DocumentPayment',
  tableName: 'document_payments',
  columns: {
    documentId: { ...wholeNumber, name: 'document_id', primary: true },
    position: { type: 'integer', primary: true },
    method: { type: 'text' },
    amount: money,
    date: { type: 'date' },
  },
});
