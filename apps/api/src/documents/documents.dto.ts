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
  MoneyField,
  NotYetField,
  ObjectListField,
  PercentField,
  PlainDateField,
  QuantityField,
  TextField,
  UnitPriceField,
} from '../http/fields';

const ITEMS_MAX = 1_000;
const PAYMENTS_MAX = 100;
const NUMERIC = { pattern: /^\d{1,15}$/, problem: 'must be a number' };

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

  @NotYetField('allocating a receipt')
  readonly allocations?: unknown;

  @NotYetField('covering other documents')
  readonly linkedDocumentIds?: unknown;

  @NotYetField('crediting a document')
  readonly refundOf?: unknown;

  @NotYetField('issuing from a retainer')
  readonly retainerId?: unknown;
}

export class ListDocumentsQuery {
  @ChoiceField({ presence: 'edit', choices: DOCUMENT_TYPES })
  readonly type?: DocumentType;

  @TextField({ presence: 'edit', max: 15, form: NUMERIC })
  readonly entityId?: string;

  @ChoiceField({ presence: 'edit', choices: DOCUMENT_STATUSES })
  readonly status?: DocumentStatus;

  @PlainDateField({ presence: 'edit', description: 'Issued on or after.' })
  readonly startDate?: string;

  @PlainDateField({ presence: 'edit', description: 'Issued on or before.' })
  readonly endDate?: string;

  @NotYetField('searching')
  readonly search?: unknown;

  @NotYetField('the change feed')
  readonly updatedSince?: unknown;

  @NotYetField('the change feed')
  readonly cursor?: unknown;
}
