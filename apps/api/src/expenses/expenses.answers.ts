import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { SuccessBody } from '../http/answers';

/** The expense that a call made or changed. */
export class ExpenseIdBody extends SuccessBody {
  @ApiProperty({ type: 'integer' })
  readonly expenseId!: number;
  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'integer' },
    description:
      'Only where there are some: expenses of the same vendor with the same document number, or with a file of the ' +
      'same bytes, the oldest first, at most 20. The expense is recorded all the same.',
  })
  readonly possibleDuplicateOf?: readonly number[];
}

class ExpenseBody {
  @ApiProperty({ type: 'integer' })
  readonly id!: number;
  @ApiProperty({ type: 'integer', description: "The vendor's numeric entity id." })
  readonly entityId!: number;
  @ApiProperty({ type: 'string', nullable: true, description: 'What it was for.' })
  readonly title!: string | null;
  @ApiProperty({ format: 'date' })
  readonly date!: string;
  @ApiProperty({ type: 'string', nullable: true, description: "The vendor's document number." })
  readonly documentNumber!: string | null;
  @ApiProperty({ example: 'ILS' })
  readonly currency!: string;
  @ApiProperty({ description: 'Including tax.' })
  readonly total!: number;
  @ApiProperty({ description: 'The VAT in it.' })
  readonly tax!: number;
  @ApiProperty({ description: 'The reclaimable part of the VAT: the figure that the VAT report uses.' })
  readonly deductableTax!: number;
  @ApiProperty({ description: 'A fixed asset rather than a running cost.' })
  readonly isEquipment!: boolean;
  @ApiProperty({ type: 'string', nullable: true })
  readonly notes!: string | null;
  @ApiProperty({ type: 'integer', nullable: true, description: 'The receipt; null of a supplier invoice.' })
  readonly fileId!: number | null;
  @ApiProperty({
    type: 'number',
    nullable: true,
    description: "The total in shekels, by the rate of the expense's own date; null when there was none.",
  })
  readonly totalInILS!: number | null;
  @ApiProperty({
    type: 'number',
    nullable: true,
    description: 'Shekels for one unit of the currency; null of shekels, and when there was none.',
  })
  readonly exchangeRate!: number | null;
  @ApiProperty({
    type: 'string',
    format: 'date',
    nullable: true,
    description: 'When that rate was published: at most 10 days before the date.',
  })
  readonly exchangeRateDate!: string | null;
  @ApiProperty({ format: 'date-time' })
  readonly createdAt!: string;
}

class NamedBody {
  @ApiProperty({ type: 'integer' })
  readonly id!: number;
  @ApiProperty()
  readonly name!: string;
}

class ReceiptBody {
  @ApiProperty({ type: 'integer' })
  readonly id!: number;
  @ApiProperty({ format: 'uri', description: 'Opens the receipt without a key, until it expires.' })
  readonly remoteUrl!: string;
}

/** Spec: Expense row. */
export class ExpenseRowBody {
  @ApiProperty()
  readonly expense!: ExpenseBody;
  @ApiProperty({ type: NamedBody })
  readonly vendor!: NamedBody;
  @ApiProperty({ type: NamedBody, description: 'Who recorded it.' })
  readonly user!: NamedBody;
  @ApiProperty()
  readonly file!: ReceiptBody;
}

/** A supplier invoice among the expenses: it has neither user nor file (spec: Expense row). */
export class SupplierInvoiceCostBody {
  @ApiProperty()
  readonly expense!: ExpenseBody;
  @ApiProperty({ type: NamedBody })
  readonly vendor!: NamedBody;
  @ApiProperty({ enum: ['SUPPLIER_INVOICE'] })
  readonly source!: 'SUPPLIER_INVOICE';
  @ApiProperty({ format: 'uuid', description: 'It is read by GET /purchase/id/:visibleId.' })
  readonly documentVisibleId!: string;
}
