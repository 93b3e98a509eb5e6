import { generatedId, money, wholeNumber } from '@counterfoil/database';
import { EntitySchema } from 'typeorm';
import type { DocumentHeader } from '../../domain/document';
import type { Settlement } from '../../domain/settlement';

export interface DocumentRow extends DocumentHeader {
  readonly companyId: number;
  /** See `BUCKET_SHIFT`. */
  readonly countedBucket: number | null;
  /** Made by the database of what a search looks at, in lower case. */
  readonly searchText: string;
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
    cancellationReason: { type: 'text', name: 'cancellation_reason', nullable: true },
    refundOf: { ...wholeNumber, name: 'refund_of', nullable: true },
    notes: { type: 'text', nullable: true },
    createdAt: { type: 'timestamptz', name: 'created_at' },
    updatedAt: { type: 'timestamptz', name: 'updated_at' },
    changeNumber: { ...wholeNumber, name: 'change_number' },
    countedBucket: {
      ...wholeNumber,
      name: 'counted_bucket',
      nullable: true,
      select: false,
      insert: false,
      update: false,
    },
    searchText: { type: 'text', name: 'search_text', select: false, insert: false, update: false },
  },
});

export interface SettlementRow extends Settlement {
  readonly id: number;
  readonly companyId: number;
  readonly settlingId: number;
  readonly createdAt: Date;
  readonly reversedAt: Date | null;
}

export const SettlementSchema = new EntitySchema<SettlementRow>({
  name: 'DocumentSettlement',
  tableName: 'document_settlements',
  columns: {
    id: generatedId,
    companyId: { ...wholeNumber, name: 'company_id' },
    settlingId: { ...wholeNumber, name: 'settling_id' },
    settledId: { ...wholeNumber, name: 'settled_id' },
    kind: { type: 'text' },
    amount: money,
    createdAt: { type: 'timestamptz', name: 'created_at' },
    reversedAt: { type: 'timestamptz', name: 'reversed_at', nullable: true },
  },
});
