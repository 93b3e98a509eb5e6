import {
  TOTAL_ROUNDINGS,
  type TotalRounding,
  WITHHOLDING_BASES,
  type WithholdingBase,
} from '@counterfoil/parties';
import { ApiProperty } from '@nestjs/swagger';
import { SuccessBody } from '../http/answers';
import { ChoiceField, IdField, PercentField, PlainDateField, TextField } from '../http/fields';
import { EntityRowBody } from '../parties/entity.answers';
import { CreateEntityBody, EditEntityBody, InternalCodeField } from '../parties/entity.dto';

const NUMBER_MAX = 50;
const BASE_NOTE = 'Computed on the gross, or on the net.';

/** A new vendor (spec: POST /vendors/create). */
export class CreateVendorBody extends CreateEntityBody {
  @TextField({ presence: 'optional', max: NUMBER_MAX, mayBeEmpty: true })
  readonly taxDeductionsFileNumber?: string | null;

  @PercentField({ presence: 'optional', description: "Left out or null: the company's default." })
  readonly withholdingTaxRate?: number | null;

  @TextField({ presence: 'optional', max: NUMBER_MAX, mayBeEmpty: true })
  readonly withholdingCertificateNumber?: string | null;

  @PlainDateField({ presence: 'optional' })
  readonly withholdingValidFrom?: string | null;

  @PlainDateField({ presence: 'optional', description: 'Not before withholdingValidFrom.' })
  readonly withholdingValidUntil?: string | null;

  @ChoiceField({ presence: 'optional', choices: WITHHOLDING_BASES, description: BASE_NOTE })
  readonly withholdingBase?: WithholdingBase | null;

  @IdField({ presence: 'optional', description: 'An uploaded scan of the certificate.' })
  readonly withholdingFileId?: number | null;
}

/** A vendor's edit (spec: PUT /vendors/edit). What is left out stays. */
export class EditVendorBody extends EditEntityBody {
  @TextField({ presence: 'edit', max: NUMBER_MAX, mayBeEmpty: true })
  readonly bankNumber?: string;

  @TextField({ presence: 'edit', max: NUMBER_MAX, mayBeEmpty: true })
  readonly branchNumber?: string;

  @TextField({ presence: 'edit', max: NUMBER_MAX, mayBeEmpty: true })
  readonly accountNumber?: string;

  @TextField({
    presence: 'edit',
    max: NUMBER_MAX,
    mayBeEmpty: true,
    description: "The company's number as a customer, in the vendor's system.",
  })
  readonly accountingCustomerNumber?: string;

  @InternalCodeField()
  readonly vendorInternalCode?: number | '' | null;

  @TextField({ presence: 'edit', max: NUMBER_MAX, mayBeEmpty: true })
  readonly taxDeductionsFileNumber?: string;

  @PercentField({ presence: 'clearable', description: "null falls back to the company's default." })
  readonly withholdingTaxRate?: number | null;

  @TextField({ presence: 'edit', max: NUMBER_MAX, mayBeEmpty: true })
  readonly withholdingCertificateNumber?: string;

  @PlainDateField({ presence: 'edit' })
  readonly withholdingValidFrom?: string;

  @PlainDateField({ presence: 'edit', description: 'Not before withholdingValidFrom.' })
  readonly withholdingValidUntil?: string;

  @ChoiceField({ presence: 'edit', choices: WITHHOLDING_BASES, description: BASE_NOTE })
  readonly withholdingBase?: WithholdingBase;

  @IdField({ presence: 'edit', description: 'An uploaded scan of the certificate.' })
  readonly withholdingFileId?: number;
}

export class CreatedVendorBody extends SuccessBody {
  @ApiProperty({ type: 'integer', description: 'The numeric entity id.' })
  readonly vendorId!: number;
  @ApiProperty({ format: 'uuid', description: 'The id in the paths of the vendor.' })
  readonly visibleId!: string;
}

/** A vendor in a list (spec: Vendor, list row). */
export class VendorRowBody extends EntityRowBody {
  @ApiProperty({ type: 'integer', nullable: true })
  readonly vendorInternalCode!: number | null;
  @ApiProperty({ description: "Percent in force: its own, else the company's default." })
  readonly withholdingTaxRate!: number;
}

/** Everything of a vendor (spec: Vendor, single record; decisions §5). */
export class VendorBody extends VendorRowBody {
  @ApiProperty({ type: 'string', nullable: true })
  readonly bankNumber!: string | null;
  @ApiProperty({ type: 'string', nullable: true })
  readonly branchNumber!: string | null;
  @ApiProperty({ type: 'string', nullable: true })
  readonly accountNumber!: string | null;
  @ApiProperty({ type: 'string', nullable: true, maxLength: 8 })
  readonly ledgerEntityAccountKey!: string | null;
  @ApiProperty({ type: 'string', nullable: true })
  readonly accountingCustomerNumber!: string | null;
  @ApiProperty({ type: 'number', nullable: true, description: "Percent. null: the company's rate." })
  readonly specialVat!: number | null;
  @ApiProperty({ type: 'number', nullable: true })
  readonly creditLimit!: number | null;
  @ApiProperty({ enum: TOTAL_ROUNDINGS })
  readonly roundDocumentTotal!: TotalRounding;
  @ApiProperty({ type: 'string', nullable: true })
  readonly taxDeductionsFileNumber!: string | null;
  @ApiProperty({ type: 'string', nullable: true })
  readonly withholdingCertificateNumber!: string | null;
  @ApiProperty({ type: 'string', format: 'date', nullable: true })
  readonly withholdingValidFrom!: string | null;
  @ApiProperty({ type: 'string', format: 'date', nullable: true })
  readonly withholdingValidUntil!: string | null;
  @ApiProperty({ enum: WITHHOLDING_BASES, nullable: true, description: BASE_NOTE })
  readonly withholdingBase!: WithholdingBase | null;
  @ApiProperty({ type: 'integer', nullable: true })
  readonly withholdingFileId!: number | null;
}
