import {
  ALLOCATION_NUMBER_STATUSES,
  type AllocationNumberStatus,
  DOCUMENT_STATUSES,
  DOCUMENT_TYPES,
  type DocumentHeader,
  type DocumentStatus,
  type DocumentType,
  type Drafted,
  isOpen,
  type IssuedDocument,
  type NewDocument,
  PAYMENT_MEANS,
  type PaymentMeans,
  roundingOf,
} from '@counterfoil/documents';
import { ApiProperty, OmitType } from '@nestjs/swagger';
import {
  ChoiceProperty,
  DateProperty,
  IntegerProperty,
  ListProperty,
  NumberProperty,
  ObjectProperty,
  TextProperty,
  UuidProperty,
} from '../http/answers';
import {
  ChoiceField,
  CurrencyField,
  IdField,
  IdListField,
  MoneyField,
  ObjectListField,
  ONE_LINE,
  PercentField,
  PlainDateField,
  QuantityField,
  TextField,
  UnitPriceField,
} from '../http/fields';
import { NamedEntityBody } from '../parties/named-entity.schemas';
import {
  DocumentFields,
  DocumentItemBody,
  DocumentPaymentBody,
  DocumentWithholdingBody,
  presentWithholding,
  ROUNDING,
  WITHHOLDING,
} from './documents.schemas';

export const ITEMS_MAX = 1_000;
export const LINKS_MAX = 200;
const PAYMENTS_MAX = 100;
const PAYMENT_NOTE_MAX = 200;

export class NewItemBody {
  @TextField({ presence: 'required', max: 500, example: 'Consulting' }) readonly description!: string;
  @QuantityField({ presence: 'required', example: 2 }) readonly quantity!: number;
  @UnitPriceField({ presence: 'required', example: 150 }) readonly unitPrice!: number;
  @IdField({ presence: 'optional' }) readonly productId?: number | null;
  @PercentField({ presence: 'optional' }) readonly discountPercent?: number | null;
  @PercentField({
    presence: 'optional',
    description:
      'Left out: of a credit note with `refundOf`, the rate of that document where it has one for all items; ' +
      "else the client's `specialVat`, else the company's default rate.",
  })
  readonly vatRate?: number | null;
}

export class NewPaymentBody {
  @ChoiceField({ presence: 'required', choices: PAYMENT_MEANS }) readonly method!: PaymentMeans;
  @MoneyField({ presence: 'required' }) readonly amount!: number;
  @PlainDateField({ presence: 'optional', description: 'The issue date when left out.' })
  readonly date?: string | null;
  @TextField({
    presence: 'optional',
    max: PAYMENT_NOTE_MAX,
    form: ONE_LINE,
    description:
      'Printed with the method: the number of a check, a bank, or that tax was withheld at source.',
    example: 'No. 1042, Bank Leumi',
  })
  readonly note?: string | null;
}

export class NewAllocationBody {
  @IdField({ presence: 'required', description: 'The numeric id of the paid document.' })
  readonly documentId!: number;
  @MoneyField({ presence: 'required' }) readonly amount!: number;
}

export class CreateDocumentBody {
  @IdField({
    presence: 'required',
    description: 'The recipient: the numeric id of a client or vendor.',
  })
  readonly entityId!: number;
  @PlainDateField({
    presence: 'optional',
    description:
      'Today, in Israel, when left out. At most 31 days ahead, and not before `booksClosedUntil` of the company.',
  })
  readonly issueDate?: string | null;
  @PlainDateField({
    presence: 'optional',
    description:
      'Left out of a tax invoice or a proforma: by the payment term of the client, or else of the company.',
  })
  readonly dueDate?: string | null;
  @CurrencyField({ presence: 'optional', description: 'ILS when left out.' })
  readonly currency?: string | null;
  @ObjectListField({
    presence: 'optional',
    of: () => NewItemBody,
    maxItems: ITEMS_MAX,
    description: 'Required but for a RECEIPT.',
  })
  readonly items?: NewItemBody[] | null;
  @ObjectListField({
    presence: 'optional',
    of: () => NewPaymentBody,
    maxItems: PAYMENTS_MAX,
    description:
      'On a RECEIPT and a TAX_INVOICE_RECEIPT. Where there are items too, both must come to the same total.',
  })
  readonly payments?: NewPaymentBody[] | null;
  @TextField({ presence: 'optional', max: 64, description: 'Your own id for it, unique within the company.' })
  readonly externalId?: string | null;
  @TextField({ presence: 'optional', max: 2000 }) readonly notes?: string | null;
  @ObjectListField({
    presence: 'optional',
    of: () => NewAllocationBody,
    maxItems: LINKS_MAX,
    description: 'On a RECEIPT: what it pays, and how much of each.',
  })
  readonly allocations?: NewAllocationBody[] | null;
  @IdListField({
    presence: 'optional',
    maxItems: LINKS_MAX,
    description:
      'The documents that this one covers, by numeric id: a RECEIPT pays them in full, another type replaces them.',
  })
  readonly linkedDocumentIds?: number[] | null;
  @IdField({ presence: 'optional', description: 'On a REFUND or RETURN: the numeric id of what it credits.' })
  readonly refundOf?: number | null;
  @IdField({
    presence: 'optional',
    description: 'The numeric id of the retainer that it belongs to, which has not ended.',
  })
  readonly retainerId?: number | null;
}

export class PreviewDocumentBody extends CreateDocumentBody {
  @ChoiceField({ presence: 'required', choices: DOCUMENT_TYPES }) readonly type!: DocumentType;
}

/** A preview: the document as it would be issued. */
export class PreviewedDocumentBody extends OmitType(DocumentFields, ['number', 'updatedAt'] as const) {
  @NumberProperty({ description: ROUNDING }) readonly rounding!: number;
  @ChoiceProperty([true]) readonly success!: true;
  @ApiProperty({ type: 'null', description: 'No number is taken.' }) readonly number!: null;
  @DateProperty({ nullable: true }) readonly dueDate!: string | null;
  @IntegerProperty({ nullable: true }) readonly refundOf!: number | null;
  @TextProperty({ nullable: true }) readonly notes!: string | null;
  @ListProperty(DocumentItemBody) readonly items!: readonly DocumentItemBody[];
  @ListProperty(DocumentPaymentBody) readonly payments!: readonly DocumentPaymentBody[];
  @ObjectProperty(NamedEntityBody) readonly entity!: NamedEntityBody;
  @ObjectProperty(DocumentWithholdingBody, { nullable: true, description: WITHHOLDING })
  readonly withholding!: DocumentWithholdingBody | null;
}

class IssuedDocumentBody {
  @ChoiceProperty([true]) readonly success!: true;
  @IntegerProperty() readonly id!: number;
  @UuidProperty() readonly visibleId!: string;
  @ChoiceProperty(DOCUMENT_TYPES) readonly type!: DocumentType;
  @IntegerProperty() readonly number!: number;
  @TextProperty({ nullable: true }) readonly externalId!: string | null;
}

export class CreatedDocumentBody extends IssuedDocumentBody {
  @ChoiceProperty(DOCUMENT_STATUSES) readonly status!: DocumentStatus;
  @ChoiceProperty(ALLOCATION_NUMBER_STATUSES, { nullable: true })
  readonly approvalNumberStatus!: AllocationNumberStatus | null;
  @TextProperty({ nullable: true }) readonly taxAuthorityApprovalNumber!: string | null;
  @NumberProperty() readonly amount!: number;
  @NumberProperty() readonly tax!: number;
  @NumberProperty() readonly totalWithTax!: number;
}

/** The answer when the company has issued a document under this externalId before (contract §8.6). */
export class ExistingDocumentBody extends IssuedDocumentBody {
  @ChoiceProperty([true]) readonly alreadyExists!: true;
}

/** A null counts as left out. */
export function toIssueDocumentInput(type: DocumentType, body: CreateDocumentBody): NewDocument {
  return {
    type,
    entityId: body.entityId,
    issueDate: body.issueDate ?? undefined,
    dueDate: body.dueDate ?? undefined,
    currency: body.currency ?? undefined,
    items: (body.items ?? []).map(toItemInput),
    payments: (body.payments ?? []).map(toPaymentInput),
    allocations: body.allocations ?? [],
    linkedDocumentIds: body.linkedDocumentIds ?? [],
    refundOf: body.refundOf ?? null,
    externalId: body.externalId ?? undefined,
    retainerId: body.retainerId ?? undefined,
    notes: body.notes ?? undefined,
  };
}

export function toItemInput(item: NewItemBody): NewDocument['items'][number] {
  return {
    description: item.description,
    quantity: item.quantity,
    unitPrice: item.unitPrice,
    discountPercent: item.discountPercent ?? undefined,
    vatRate: item.vatRate ?? undefined,
    productId: item.productId ?? undefined,
  };
}

function toPaymentInput({ method, amount, date, note }: NewPaymentBody): NewDocument['payments'][number] {
  return { method, amount, date: date ?? undefined, note: note || undefined };
}

/** The answer to a call that issues. It is stored under the idempotency key, so it is made inside the transaction. */
export function presentIssuedDocument({
  document,
  alreadyExists,
}: IssuedDocument): CreatedDocumentBody | ExistingDocumentBody {
  return alreadyExists ? presentExisting(document) : presentCreated(document);
}

function presentCreated(document: DocumentHeader): CreatedDocumentBody {
  return {
    success: true,
    id: document.id,
    visibleId: document.visibleId,
    type: document.type,
    number: document.number,
    externalId: document.externalId,
    status: document.status,
    approvalNumberStatus: document.allocationNumberStatus,
    taxAuthorityApprovalNumber: document.allocationNumber,
    amount: document.amount,
    tax: document.tax,
    totalWithTax: document.totalWithTax,
  };
}

function presentExisting({ id, visibleId, type, number, externalId }: DocumentHeader): ExistingDocumentBody {
  return { success: true, id, visibleId, type, number, externalId, alreadyExists: true };
}

export function presentPreview({ draft, entity, withholding }: Drafted): PreviewedDocumentBody {
  const { allocationNumber, allocationNumberStatus, ...others } = draft;
  const { cancellationReason: _, periodFrom: _f, periodUntil: _u, ...fields } = others;
  return {
    success: true,
    ...fields,
    taxAuthorityApprovalNumber: allocationNumber,
    approvalNumberStatus: allocationNumberStatus,
    rounding: roundingOf(draft),
    number: null,
    isOpen: isOpen(draft.status),
    entity: { id: entity.id, visibleId: entity.visibleId, name: entity.name },
    withholding: presentWithholding(draft, withholding),
  };
}
