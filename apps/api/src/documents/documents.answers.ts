import {
  APPROVAL_NUMBER_STATUSES,
  type ApprovalNumberStatus,
  DOCUMENT_STATUSES,
  DOCUMENT_TYPES,
  type DocumentStatus,
  type DocumentType,
  PAYMENT_METHODS,
  type PaymentMethod,
} from '@counterfoil/documents';
import { ApiProperty, OmitType } from '@nestjs/swagger';

const RECORDED_TYPES = [...DOCUMENT_TYPES, 'SUPPLIER_INVOICE'] as const;

/** What a row, a full record and a preview have in common. */
class DocumentFields {
  @ApiProperty({ enum: DOCUMENT_TYPES })
  readonly type!: DocumentType;
  @ApiProperty({ type: 'integer', description: 'Runs without gaps per company and type.' })
  readonly number!: number;
  @ApiProperty({ type: 'string', nullable: true })
  readonly externalId!: string | null;
  @ApiProperty({ type: 'integer' })
  readonly entityId!: number;
  @ApiProperty({ type: 'integer', nullable: true })
  readonly retainerId!: number | null;
  @ApiProperty({ format: 'date' })
  readonly issueDate!: string;
  @ApiProperty({ format: 'date-time' })
  readonly updatedAt!: string;
  @ApiProperty({ example: 'ILS' })
  readonly currency!: string;
  @ApiProperty({ description: 'Before VAT.' })
  readonly amount!: number;
  @ApiProperty()
  readonly tax!: number;
  @ApiProperty()
  readonly totalWithTax!: number;
  @ApiProperty({ enum: DOCUMENT_STATUSES })
  readonly status!: DocumentStatus;
  @ApiProperty()
  readonly isOpen!: boolean;
  @ApiProperty()
  readonly remainingAmount!: number;
  @ApiProperty()
  readonly coveredAmount!: number;
  @ApiProperty({ type: 'string', nullable: true })
  readonly taxAuthorityApprovalNumber!: string | null;
  @ApiProperty({ enum: APPROVAL_NUMBER_STATUSES, nullable: true })
  readonly approvalNumberStatus!: ApprovalNumberStatus | null;
  @ApiProperty()
  readonly cancelled!: boolean;
}

/** A row of the listing. */
export class DocumentRowBody extends DocumentFields {
  @ApiProperty({ type: 'integer' })
  readonly id!: number;
  @ApiProperty({ type: 'integer', description: 'The same as id.' })
  readonly documentId!: number;
  @ApiProperty({ format: 'uuid' })
  readonly visibleId!: string;
  @ApiProperty({ type: 'string', format: 'date', nullable: true })
  readonly dueDate!: string | null;
  @ApiProperty({ type: 'integer', nullable: true, description: 'Of a credit note: what it credits.' })
  readonly refundOf!: number | null;
  @ApiProperty({ type: 'string', nullable: true })
  readonly cancellationReason!: string | null;
  @ApiProperty({ type: 'string', nullable: true })
  readonly notes!: string | null;
  @ApiProperty({ format: 'date-time' })
  readonly createdAt!: string;
}

export class DocumentItemBody {
  @ApiProperty()
  readonly description!: string;
  @ApiProperty()
  readonly quantity!: number;
  @ApiProperty()
  readonly unitPrice!: number;
  @ApiProperty({ type: 'integer', nullable: true })
  readonly productId!: number | null;
  @ApiProperty()
  readonly discountPercent!: number;
  @ApiProperty()
  readonly vatRate!: number;
  @ApiProperty({ description: 'Before VAT, after the discount.' })
  readonly lineTotal!: number;
}

export class DocumentPaymentBody {
  @ApiProperty({ enum: PAYMENT_METHODS })
  readonly method!: PaymentMethod;
  @ApiProperty()
  readonly amount!: number;
  @ApiProperty({ format: 'date' })
  readonly date!: string;
}

/** One end of an allocation, as it is seen from the other. */
export class DocumentAllocationBody {
  @ApiProperty({ type: 'integer' })
  readonly documentId!: number;
  @ApiProperty({ format: 'uuid' })
  readonly visibleId!: string;
  @ApiProperty({ enum: DOCUMENT_TYPES })
  readonly type!: DocumentType;
  @ApiProperty({ type: 'integer' })
  readonly number!: number;
  @ApiProperty()
  readonly amount!: number;
}

export class DocumentEntityBody {
  @ApiProperty({ type: 'integer' })
  readonly id!: number;
  @ApiProperty({ format: 'uuid' })
  readonly visibleId!: string;
  @ApiProperty()
  readonly name!: string;
}

/** The full record. */
export class DocumentBody extends DocumentRowBody {
  @ApiProperty({ type: [DocumentItemBody] })
  readonly items!: readonly DocumentItemBody[];
  @ApiProperty({ type: [DocumentPaymentBody] })
  readonly payments!: readonly DocumentPaymentBody[];
  @ApiProperty({
    type: [DocumentAllocationBody],
    description: 'Of a receipt: what it is allocated to. Of what receipts pay for: the receipts.',
  })
  readonly allocations!: readonly DocumentAllocationBody[];
  @ApiProperty({ type: [Number], description: 'What it covers.' })
  readonly linkedDocumentIds!: readonly number[];
  @ApiProperty({ type: DocumentEntityBody })
  readonly entity!: DocumentEntityBody;
}

/** The full record of what was issued, or of a supplier invoice, whose events carry the same ids. */
export class FoundDocumentBody extends OmitType(DocumentBody, ['type']) {
  @ApiProperty({ enum: RECORDED_TYPES, description: 'A SUPPLIER_INVOICE has neither items nor payments.' })
  readonly type!: (typeof RECORDED_TYPES)[number];
}

/** A document after something was done to it. */
export class ChangedDocumentBody extends DocumentRowBody {
  @ApiProperty({ enum: [true] })
  readonly success!: true;
}

/** A receipt after it was allocated, and what it was allocated to now. */
export class AllocatedReceiptBody extends ChangedDocumentBody {
  @ApiProperty({ type: [DocumentAllocationBody] })
  readonly allocations!: readonly DocumentAllocationBody[];
}

/** A document as it would be issued. */
export class PreviewedDocumentBody extends OmitType(DocumentFields, ['number', 'updatedAt'] as const) {
  @ApiProperty({ enum: [true] })
  readonly success!: true;
  @ApiProperty({ type: 'null', description: 'No number is taken.' })
  readonly number!: null;
  @ApiProperty({ type: 'string', format: 'date', nullable: true })
  readonly dueDate!: string | null;
  @ApiProperty({ type: 'integer', nullable: true })
  readonly refundOf!: number | null;
  @ApiProperty({ type: 'string', nullable: true })
  readonly notes!: string | null;
  @ApiProperty({ type: [DocumentItemBody] })
  readonly items!: readonly DocumentItemBody[];
  @ApiProperty({ type: [DocumentPaymentBody] })
  readonly payments!: readonly DocumentPaymentBody[];
  @ApiProperty({ type: DocumentEntityBody })
  readonly entity!: DocumentEntityBody;
}

class IssuedDocumentBody {
  @ApiProperty({ enum: [true] })
  readonly success!: true;
  @ApiProperty({ type: 'integer' })
  readonly id!: number;
  @ApiProperty({ format: 'uuid' })
  readonly visibleId!: string;
  @ApiProperty({ enum: DOCUMENT_TYPES })
  readonly type!: DocumentType;
  @ApiProperty({ type: 'integer' })
  readonly number!: number;
  @ApiProperty({ type: 'string', nullable: true })
  readonly externalId!: string | null;
}

export class CreatedDocumentBody extends IssuedDocumentBody {
  @ApiProperty({ enum: DOCUMENT_STATUSES })
  readonly status!: DocumentStatus;
  @ApiProperty({ enum: APPROVAL_NUMBER_STATUSES, nullable: true })
  readonly approvalNumberStatus!: ApprovalNumberStatus | null;
  @ApiProperty({ type: 'string', nullable: true })
  readonly taxAuthorityApprovalNumber!: string | null;
  @ApiProperty()
  readonly amount!: number;
  @ApiProperty()
  readonly tax!: number;
  @ApiProperty()
  readonly totalWithTax!: number;
}

/** The answer when the company has issued a document under this externalId before (spec: Idempotency rules, 7). */
export class ExistingDocumentBody extends IssuedDocumentBody {
  @ApiProperty({ enum: [true] })
  readonly alreadyExists!: true;
}
