import { DOCUMENT_TYPES, type DocumentType, RETAINER_DOCUMENT_TYPES } from '@counterfoil/documents';
import { type Interval, INTERVALS } from '@counterfoil/kernel';
import { ApiProperty } from '@nestjs/swagger';
import { SuccessBody } from '../http/answers';
import { RefusedRunBody } from '../scheduling/refused-run.answers';

export class CreatedRetainerBody extends SuccessBody {
  @ApiProperty({ type: 'integer' })
  readonly retainerId!: number;
}

export class RetainerItemBody {
  @ApiProperty()
  readonly description!: string;
  @ApiProperty()
  readonly quantity!: number;
  @ApiProperty()
  readonly unitPrice!: number;
  @ApiProperty({ type: 'number', nullable: true })
  readonly discountPercent!: number | null;
  @ApiProperty({
    type: 'number',
    nullable: true,
    description: "null: the company's default rate of the time of issue.",
  })
  readonly vatRate!: number | null;
  @ApiProperty({ type: 'integer', nullable: true })
  readonly productId!: number | null;
}

class BilledEntityBody {
  @ApiProperty({ type: 'integer' })
  readonly id!: number;
  @ApiProperty({ format: 'uuid' })
  readonly visibleId!: string;
  @ApiProperty()
  readonly name!: string;
}

class LastDocumentBody {
  @ApiProperty({ type: 'integer' })
  readonly id!: number;
  @ApiProperty({ format: 'uuid' })
  readonly visibleId!: string;
  @ApiProperty({ enum: DOCUMENT_TYPES })
  readonly type!: DocumentType;
  @ApiProperty({ type: 'integer' })
  readonly number!: number;
  @ApiProperty({ format: 'date' })
  readonly issueDate!: string;
}

export class RetainerBody {
  @ApiProperty({ type: 'integer' })
  readonly id!: number;
  @ApiProperty({ type: 'integer' })
  readonly entityId!: number;
  @ApiProperty()
  readonly entity!: BilledEntityBody;
  @ApiProperty({ enum: RETAINER_DOCUMENT_TYPES })
  readonly documentType!: string;
  @ApiProperty({ example: 'ILS' })
  readonly currency!: string;
  @ApiProperty({ type: [RetainerItemBody], description: 'As they were sent.' })
  readonly items!: readonly RetainerItemBody[];
  @ApiProperty({ enum: INTERVALS })
  readonly interval!: Interval;
  @ApiProperty({ format: 'date', description: 'When the next document is due, or was.' })
  readonly nextRunDate!: string;
  @ApiProperty({
    type: LastDocumentBody,
    nullable: true,
    description: 'The last document with its retainerId; null before the first.',
  })
  readonly lastDocument!: LastDocumentBody | null;
  @ApiProperty({
    type: RefusedRunBody,
    nullable: true,
    description: 'Why the document that is due was refused; it is tried again.',
  })
  readonly refusal!: RefusedRunBody | null;
  @ApiProperty({ format: 'date-time' })
  readonly createdAt!: string;
}
