import { TOTAL_ROUNDINGS, type TotalRounding } from '@counterfoil/identity';
import { PAYMENT_TERM_TYPES, type PaymentTermType, type PlainDate } from '@counterfoil/kernel';
import { ChoiceProperty, DateProperty, IntegerProperty, NumberProperty, TextProperty } from '../http/answers';
import { ChoiceField, IntegerField, PercentField, PlainDateField, TextField } from '../http/fields';

export class EditCompanyBody {
  @TextField({ presence: 'edit', max: 200 }) readonly name?: string;
  @TextField({ presence: 'edit', max: 20 }) readonly taxId?: string;
  @ChoiceField({
    presence: 'edit',
    choices: PAYMENT_TERM_TYPES,
    description: 'The payment term of clients and vendors that have none; it gives invoices their due date.',
  })
  readonly defaultPaymentTermType?: PaymentTermType;
  @IntegerField({ presence: 'edit', min: 0, max: 365 }) readonly defaultPaymentTermDays?: number;
  @PercentField({ presence: 'edit' }) readonly defaultWithholdingTaxRate?: number;
  @PercentField({
    presence: 'edit',
    description: 'The VAT rate of items that name none, unless the client or vendor has a `specialVat`.',
  })
  readonly defaultVatRate?: number;
  @ChoiceField({
    presence: 'edit',
    choices: TOTAL_ROUNDINGS,
    description: '`round`: the total of a document is rounded to whole units of its currency.',
  })
  readonly roundDocumentTotal?: TotalRounding;
  @PlainDateField({
    presence: 'clearable',
    description:
      'No document that you issue may be dated before this day, today at the latest. Null opens every past day.',
  })
  readonly booksClosedUntil?: PlainDate | null;
}

export class CompanyBody {
  @IntegerProperty() readonly id!: number;
  @TextProperty() readonly name!: string;
  @TextProperty({ nullable: true }) readonly taxId!: string | null;
  @ChoiceProperty(PAYMENT_TERM_TYPES) readonly defaultPaymentTermType!: PaymentTermType;
  @IntegerProperty() readonly defaultPaymentTermDays!: number;
  @NumberProperty() readonly defaultWithholdingTaxRate!: number;
  @NumberProperty() readonly defaultVatRate!: number;
  @ChoiceProperty(TOTAL_ROUNDINGS) readonly roundDocumentTotal!: TotalRounding;
  @DateProperty({ nullable: true }) readonly booksClosedUntil!: PlainDate | null;
}
