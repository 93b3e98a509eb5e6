import { PAYMENT_TERM_TYPES, type PaymentTermType, type Role, ROLES } from '@counterfoil/kernel';
import { ROUNDINGS, type Rounding } from '@counterfoil/identity';
import { ApiProperty } from '@nestjs/swagger';
import { ChoiceField, IntegerField, PercentField, TextField } from '../http/fields';

export class CreateApiKeyBody {
  @ChoiceField({ presence: 'required', choices: ROLES })
  readonly role!: Role;

  @TextField({
    presence: 'required',
    max: 200,
    description: 'The user the key acts for; made when there is none of that name.',
  })
  readonly userName!: string;
}

export class CreatedApiKeyBody {
  @ApiProperty({ enum: [true] })
  readonly success!: true;
  @ApiProperty({ type: 'integer' })
  readonly id!: number;
  @ApiProperty({ description: 'Shown this once.', example: 'sk_live_…' })
  readonly key!: string;
  @ApiProperty({ enum: ROLES })
  readonly role!: Role;
}

export class ApiKeyBody {
  @ApiProperty({ type: 'integer' })
  readonly id!: number;
  @ApiProperty({ enum: ROLES })
  readonly role!: Role;
  @ApiProperty({ type: 'integer' })
  readonly userId!: number;
  @ApiProperty()
  readonly userName!: string;
  @ApiProperty({ format: 'date-time' })
  readonly createdAt!: string;
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, description: 'To the minute.' })
  readonly lastUsedAt!: string | null;
}

export class EditCompanyBody {
  @TextField({ presence: 'edit', max: 200 })
  readonly name?: string;

  @TextField({ presence: 'edit', max: 20 })
  readonly taxId?: string;

  @ChoiceField({ presence: 'edit', choices: PAYMENT_TERM_TYPES })
  readonly defaultPaymentTermType?: PaymentTermType;

  @IntegerField({ presence: 'edit', min: 0, max: 365 })
  readonly defaultPaymentTermDays?: number;

  @PercentField({ presence: 'edit' })
  readonly defaultWithholdingTaxRate?: number;

  @PercentField({ presence: 'edit', description: 'The VAT rate of items that name none.' })
  readonly defaultVatRate?: number;

  @ChoiceField({ presence: 'edit', choices: ROUNDINGS })
  readonly roundDocumentTotal?: Rounding;
}

export class CompanyBody {
  @ApiProperty({ type: 'integer' })
  readonly id!: number;
  @ApiProperty()
  readonly name!: string;
  @ApiProperty({ type: 'string', nullable: true })
  readonly taxId!: string | null;
  @ApiProperty({ enum: PAYMENT_TERM_TYPES })
  readonly defaultPaymentTermType!: PaymentTermType;
  @ApiProperty({ type: 'integer' })
  readonly defaultPaymentTermDays!: number;
  @ApiProperty()
  readonly defaultWithholdingTaxRate!: number;
  @ApiProperty()
  readonly defaultVatRate!: number;
  @ApiProperty({ enum: ROUNDINGS })
  readonly roundDocumentTotal!: Rounding;
}
