import {
  DOCUMENT_STATUSES,
  DOCUMENT_TYPES,
  type DocumentStatus,
  type DocumentType,
  PAYMENT_METHODS,
  type PaymentMethod,
} from '@counterfoil/documents';
import {
  ChoiceField,
  CurrencyField,
  IdField,
  IdListField,
  MoneyField,
  ObjectListField,
  PercentField,
  PlainDateField,
  QuantityField,
  TextField,
  UnitPriceField,
} from '../http/fields';
import { IdQueryField, RawQueryField, SearchField } from '../http/query-fields';

export const ITEMS_MAX = 1_000;
const PAYMENTS_MAX = 100;
const LINKS_MAX = 200;

export class NewItemBody {
  @TextField({ presence: 'required', max: 500, example: 'Consulting' })
  readonly description!: string;

  @QuantityField({ presence: 'required', example: 2 })
  readonly quantity!: number;

  @UnitPriceField({ presence: 'required', example: 150 })
  readonly unitPrice!: number;

  @IdField({ presence: 'optional' })
  readonly productId?: number | null;

  @PercentField({ presence: 'optional' })
  readonly discountPercent?: number | null;

  @PercentField({ presence: 'optional', description: "The company's default rate when left out." })
  readonly vatRate?: number | null;
}

export class NewPaymentBody {
  @ChoiceField({ presence: 'required', choices: PAYMENT_METHODS })
  readonly method!: PaymentMethod;

  @MoneyField({ presence: 'required' })
  readonly amount!: number;

  @PlainDateField({ presence: 'optional', description: 'The issue date when left out.' })
  readonly date?: string | null;
}

export class NewAllocationBody {
  @IdField({ presence: 'required', description: 'The numeric id of what is paid.' })
  readonly documentId!: number;

  @MoneyField({ presence: 'required' })
  readonly amount!: number;
}

export class CreateDocumentBody {
  @IdField({
    presence: 'required',
    description: 'Who it is issued to: the numeric id of a client or vendor.',
  })
  readonly entityId!: number;

  @PlainDateField({ presence: 'optional', description: 'Today, in Israel, when left out.' })
  readonly issueDate?: string | null;

  @PlainDateField({ presence: 'optional' })
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

  @TextField({ presence: 'optional', max: 2000 })
  readonly notes?: string | null;

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
      'What this document covers, by numeric id: a RECEIPT pays it whole, another takes its place.',
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
  @ChoiceField({ presence: 'required', choices: DOCUMENT_TYPES })
  readonly type!: DocumentType;
}

export class AllocateReceiptBody {
  @IdField({ presence: 'required', description: 'The numeric id of the receipt.' })
  readonly receiptId!: number;

  @ObjectListField({ presence: 'required', of: () => NewAllocationBody, minItems: 1, maxItems: LINKS_MAX })
  readonly allocations!: NewAllocationBody[];
}

export class CancelDocumentBody {
  @TextField({ presence: 'required', max: 500 })
  readonly reason!: string;
}

export class ApprovalNumberBody {
  @TextField({
    presence: 'required',
    max: 64,
    form: { pattern: /^[\x21-\x7e]+$/, problem: 'must be digits, letters and signs without spaces' },
    example: '123456789',
  })
  readonly approvalNumber!: string;
}

export class ListDocumentsQuery {
  @ChoiceField({ presence: 'edit', choices: DOCUMENT_TYPES })
  readonly type?: DocumentType;

  @IdQueryField()
  readonly entityId?: number;

  @ChoiceField({ presence: 'edit', choices: DOCUMENT_STATUSES })
  readonly status?: DocumentStatus;

  @PlainDateField({ presence: 'edit', description: 'Issued on or after.' })
  readonly startDate?: string;

  @PlainDateField({ presence: 'edit', description: 'Issued on or before.' })
  readonly endDate?: string;

  @SearchField({
    description: "Part of the number, externalId, notes, allocation number, or the entity's name or tax id.",
  })
  readonly search?: string;

  @RawQueryField({
    description:
      'Opens a sweep of the change feed: every document changed at this ISO 8601 timestamp or later, the oldest change first.',
    example: '2026-11-21T09:30:00Z',
  })
  readonly updatedSince?: unknown;

  @RawQueryField({
    description: 'Goes on with a sweep: the nextCursor of the batch before. Wins over updatedSince.',
  })
  readonly cursor?: unknown;
}
