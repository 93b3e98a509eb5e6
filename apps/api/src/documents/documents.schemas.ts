import {
  ALLOCATION_NUMBER_STATUSES,
  type AllocationNumberStatus,
  asDocument,
  DOCUMENT_STATUSES,
  DOCUMENT_TYPES,
  type DocumentBatch,
  type DocumentHeader,
  type DocumentRecord,
  type DocumentStatus,
  type DocumentType,
  isOpen,
  type IssuedOrReceived,
  type ListedDocument,
  PAYMENT_MEANS,
  type PaymentMeans,
  type Period,
  periodOf,
  roundingOf,
  type SupplierInvoiceRow,
  type Withheld,
  withheldFrom,
  type Withholding,
} from '@counterfoil/documents';
import { type Page, pageOf } from '@counterfoil/pagination';
import { WITHHOLDING_BASES } from '@counterfoil/parties';
import { OmitType } from '@nestjs/swagger';
import {
  BooleanProperty,
  ChoiceProperty,
  DateProperty,
  IntegerProperty,
  ListProperty,
  NumberProperty,
  ObjectProperty,
  TextProperty,
  TimeProperty,
  UuidProperty,
} from '../http/answers';
import { NamedEntityBody } from '../parties/named-entity.schemas';

export const ROUNDING =
  'By how much `totalWithTax` was rounded (`roundDocumentTotal`): totalWithTax = amount + tax + rounding.';
export const RECORDED_TYPES = [...DOCUMENT_TYPES, 'SUPPLIER_INVOICE'] as const;

/** The fields that a row, a full record and a preview share. */
export class DocumentFields {
  @ChoiceProperty(DOCUMENT_TYPES) readonly type!: DocumentType;
  @IntegerProperty({ description: 'Consecutive for each company and type, without gaps.' })
  readonly number!: number;
  @TextProperty({ nullable: true }) readonly externalId!: string | null;
  @IntegerProperty() readonly entityId!: number;
  @IntegerProperty({ nullable: true }) readonly retainerId!: number | null;
  @DateProperty() readonly issueDate!: string;
  @TimeProperty() readonly updatedAt!: string;
  @TextProperty({ example: 'ILS' }) readonly currency!: string;
  @NumberProperty({ description: 'Before VAT.' }) readonly amount!: number;
  @NumberProperty() readonly tax!: number;
  @NumberProperty() readonly totalWithTax!: number;
  @ChoiceProperty(DOCUMENT_STATUSES) readonly status!: DocumentStatus;
  @BooleanProperty() readonly isOpen!: boolean;
  @NumberProperty() readonly remainingAmount!: number;
  @NumberProperty() readonly coveredAmount!: number;
  @TextProperty({ nullable: true }) readonly taxAuthorityApprovalNumber!: string | null;
  @ChoiceProperty(ALLOCATION_NUMBER_STATUSES, { nullable: true })
  readonly approvalNumberStatus!: AllocationNumberStatus | null;
  @BooleanProperty() readonly cancelled!: boolean;
}

export class DocumentPeriodBody {
  @DateProperty({ description: 'The first day.' }) readonly from!: string;
  @DateProperty({ description: 'The last day.' }) readonly until!: string;
}

/** A row of the list. */
export class DocumentRowBody extends DocumentFields {
  @IntegerProperty() readonly id!: number;
  @IntegerProperty({ description: 'The same as id.' }) readonly documentId!: number;
  @UuidProperty() readonly visibleId!: string;
  @DateProperty({ nullable: true }) readonly dueDate!: string | null;
  @ObjectProperty(DocumentPeriodBody, {
    nullable: true,
    description: 'Of a document that a retainer issued: from its due date to the day before the next one.',
  })
  readonly period!: DocumentPeriodBody | null;
  @NumberProperty({ description: ROUNDING }) readonly rounding!: number;
  @IntegerProperty({ nullable: true, description: 'Of a credit note: what it credits.' })
  readonly refundOf!: number | null;
  @TextProperty({ nullable: true }) readonly cancellationReason!: string | null;
  @TextProperty({ nullable: true }) readonly notes!: string | null;
  @TimeProperty() readonly createdAt!: string;
}

export class DocumentItemBody {
  @TextProperty() readonly description!: string;
  @NumberProperty() readonly quantity!: number;
  @NumberProperty() readonly unitPrice!: number;
  @IntegerProperty({ nullable: true }) readonly productId!: number | null;
  @NumberProperty() readonly discountPercent!: number;
  @NumberProperty() readonly vatRate!: number;
  @NumberProperty({ description: 'Before VAT, after the discount.' }) readonly lineTotal!: number;
}

export class DocumentPaymentBody {
  @ChoiceProperty(PAYMENT_MEANS) readonly method!: PaymentMeans;
  @NumberProperty() readonly amount!: number;
  @DateProperty() readonly date!: string;
  @TextProperty({ nullable: true }) readonly note!: string | null;
}

/** The tax that the company withholds when it pays a vendor. */
export class DocumentWithholdingBody {
  @NumberProperty({ description: 'In percent: the rate that was in force on the issue date.' })
  readonly rate!: number;
  @ChoiceProperty(WITHHOLDING_BASES, {
    description:
      'From what it is computed. `with_vat`: `totalWithTax`. `without_vat`: `amount` of the document.',
  })
  readonly base!: Withheld['base'];
  @NumberProperty({ description: 'The tax. The vendor gets `totalWithTax` without it.' })
  readonly amount!: number;
}

export const WITHHOLDING = 'Of an ORDER to a vendor. Null where no tax is withheld.';

/** A document that the record names. */
class OtherDocumentBody {
  @IntegerProperty() readonly documentId!: number;
  @UuidProperty() readonly visibleId!: string;
  @ChoiceProperty(DOCUMENT_TYPES) readonly type!: DocumentType;
  @IntegerProperty() readonly number!: number;
}

/** An allocation, with the document at its other end. */
export class DocumentAllocationBody extends OtherDocumentBody {
  @NumberProperty() readonly amount!: number;
}

/** A document that names the one of the record. */
export class LinkedDocumentBody extends OtherDocumentBody {
  @DateProperty() readonly issueDate!: string;
  @TextProperty({ example: 'ILS' }) readonly currency!: string;
  @NumberProperty() readonly totalWithTax!: number;
}

/** A row of the list, which a sweep of the change feed does not have. */
export class ListedDocumentBody extends DocumentRowBody {
  @ObjectProperty(NamedEntityBody) readonly entity!: NamedEntityBody;
}

/** The full record. */
export class DocumentBody extends ListedDocumentBody {
  @ListProperty(DocumentItemBody) readonly items!: readonly DocumentItemBody[];
  @ListProperty(DocumentPaymentBody) readonly payments!: readonly DocumentPaymentBody[];
  @ListProperty(DocumentAllocationBody, {
    description: 'Of a receipt: what it is allocated to. Of what receipts pay for: the receipts.',
  })
  readonly allocations!: readonly DocumentAllocationBody[];
  @ListProperty(Number, { description: 'The documents that it covers.' })
  readonly linkedDocumentIds!: readonly number[];
  @ListProperty(LinkedDocumentBody, {
    description:
      'The credit notes with this document as `refundOf`, without cancelled ones: newest first, up to 200.',
  })
  readonly creditedBy!: readonly LinkedDocumentBody[];
  @ObjectProperty(LinkedDocumentBody, {
    nullable: true,
    description: 'The document that covers it. Receipts are in `allocations`.',
  })
  readonly coveredBy!: LinkedDocumentBody | null;
  @ObjectProperty(DocumentWithholdingBody, { nullable: true, description: WITHHOLDING })
  readonly withholding!: DocumentWithholdingBody | null;
}

/** The full record of an issued document or of a supplier invoice, whose events have the same kinds of ids. */
export class FoundDocumentBody extends OmitType(DocumentBody, ['type']) {
  @ChoiceProperty(RECORDED_TYPES, { description: 'A SUPPLIER_INVOICE has neither items nor payments.' })
  readonly type!: (typeof RECORDED_TYPES)[number];
}

/** A row of the list: `id` and `documentId` are the number, `visibleId` the public id (contract §8.11). */
export function presentDocumentRow(document: DocumentHeader): DocumentRowBody {
  return presentRow(document, periodOf(document));
}

function presentRow<Document extends IssuedOrReceived>(document: Document, period: Period | null) {
  return {
    id: document.id,
    documentId: document.id,
    type: document.type as Document['type'],
    number: document.number,
    externalId: document.externalId,
    entityId: document.entityId,
    retainerId: document.retainerId,
    issueDate: document.issueDate,
    updatedAt: document.updatedAt.toISOString(),
    currency: document.currency,
    amount: document.amount,
    tax: document.tax,
    totalWithTax: document.totalWithTax,
    status: document.status,
    isOpen: isOpen(document.status),
    remainingAmount: document.remainingAmount,
    coveredAmount: document.coveredAmount,
    taxAuthorityApprovalNumber: document.allocationNumber,
    approvalNumberStatus: document.allocationNumberStatus,
    cancelled: document.cancelled,
    visibleId: document.visibleId,
    dueDate: document.dueDate,
    period,
    rounding: roundingOf(document),
    refundOf: document.refundOf,
    cancellationReason: document.cancellationReason,
    notes: document.notes,
    createdAt: document.createdAt.toISOString(),
  };
}

export function presentDocument(document: DocumentRecord): DocumentBody {
  const { items, payments, allocations, linkedDocumentIds, creditedBy, coveredBy, entity } = document;
  const links = { allocations, linkedDocumentIds, creditedBy, coveredBy };
  const withholding = presentWithholding(document, document.withholding);
  return { ...presentDocumentRow(document), items, payments, ...links, entity, withholding };
}

export function presentWithholding(
  totals: Pick<DocumentHeader, 'amount' | 'totalWithTax'>,
  withholding: Withholding | null,
): DocumentWithholdingBody | null {
  return withholding && withheldFrom(totals, withholding);
}

/** A supplier invoice in the form of an issued document. */
export function presentSupplierInvoiceAsDocument(invoice: SupplierInvoiceRow): FoundDocumentBody {
  const { vendorId, vendorVisibleId, vendorName, ...own } = invoice;
  return {
    ...presentRow(asDocument({ ...own, vendorId }), null),
    items: [],
    payments: [],
    allocations: [],
    linkedDocumentIds: [],
    creditedBy: [],
    coveredBy: null,
    withholding: null,
    entity: { id: vendorId, visibleId: vendorVisibleId, name: vendorName },
  };
}

/**
 * The JSON text of a page. It has legacy keys in addition to the common ones (contract §2.5), so it has all rows twice.
 * They are serialised once, because that is a large part of the work for a page.
 */
export function presentDocumentList({ data, pagination }: Page<ListedDocument>): string {
  const rows = JSON.stringify(data.map((row) => ({ ...presentDocumentRow(row), entity: row.entity })));
  const { total, page, pageSize } = pagination;
  const legacy = JSON.stringify({ total, page, pageSize }).slice(1);
  return `{"data":${rows},"pagination":${JSON.stringify(pagination)},"documents":${rows},${legacy}`;
}

/** One batch of a sweep, in the form of the first page of the remaining changes (contract §10.2). */
export function presentDocumentBatch({ documents, total, nextCursor }: DocumentBatch, limit: number) {
  const { data, pagination } = pageOf(documents.map(presentDocumentRow), total, { limit, offset: 0 });
  return { data, total, pagination, nextCursor, hasMore: pagination.hasMore };
}
