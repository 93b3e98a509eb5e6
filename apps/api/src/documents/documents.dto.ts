import {
  DOCUMENT_STATUSES,
  DOCUMENT_TYPES,
  type DocumentStatus,
  type DocumentType,
  PAYMENT_METHODS,
  type PaymentMethod,
} from '@counterfoil/documents';
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsOptional, ValidateNested } from 'class-validator';
import {
  ChoiceField,
  CurrencyField,
  IdField,
  MoneyField,
  NotYetField,
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

  @ApiProperty({
    type: [NewItemBody],
    required: false,
    maxItems: ITEMS_MAX,
    description: 'Required but for a RECEIPT.',
  })
  @IsOptional()
  @IsArray({ message: 'must be a list' })
  @ArrayMaxSize(ITEMS_MAX, { message: `must have at most ${ITEMS_MAX} entries` })
  @ValidateNested({ each: true, message: 'must be an object' })
  @Type(() => NewItemBody)
  readonly items?: NewItemBody[] | null;

  @ApiProperty({
    type: [NewPaymentBody],
    required: false,
    maxItems: PAYMENTS_MAX,
    description:
      'On a RECEIPT and a TAX_INVOICE_RECEIPT. Where there are items too, both must come to the same total.',
  })
  @IsOptional()
  @IsArray({ message: 'must be a list' })
  @ArrayMaxSize(PAYMENTS_MAX, { message: `must have at most ${PAYMENTS_MAX} entries` })
  @ValidateNested({ each: true, message: 'must be an object' })
  @Type(() => NewPaymentBody)
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
}
