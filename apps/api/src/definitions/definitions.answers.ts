import {
  APPLIES_TO,
  type AppliesTo,
  FIELD_TYPES,
  type FieldType,
  type JsonObject,
} from '@counterfoil/definitions';
import { ApiProperty } from '@nestjs/swagger';
import { SuccessBody } from '../http/answers';

export class CreatedCustomFieldBody extends SuccessBody {
  @ApiProperty({ type: 'integer' })
  readonly customFieldId!: number;
}

export class CustomFieldBody {
  @ApiProperty({ type: 'integer' })
  readonly id!: number;
  @ApiProperty()
  readonly name!: string;
  @ApiProperty({ enum: APPLIES_TO })
  readonly appliesTo!: AppliesTo;
  @ApiProperty({ enum: FIELD_TYPES })
  readonly fieldType!: FieldType;
  @ApiProperty({ format: 'date-time' })
  readonly createdAt!: string;
}

export class CreatedDocumentExecutionStatusBody extends SuccessBody {
  @ApiProperty({ type: 'integer' })
  readonly documentExecutionStatusId!: number;
}

export class DocumentExecutionStatusBody {
  @ApiProperty({ type: 'integer' })
  readonly id!: number;
  @ApiProperty()
  readonly name!: string;
  @ApiProperty({ type: 'string', nullable: true, example: '#1E90FF' })
  readonly color!: string | null;
  @ApiProperty({ format: 'date-time' })
  readonly createdAt!: string;
}

export class CreatedSavedReportBody extends SuccessBody {
  @ApiProperty({ type: 'integer' })
  readonly savedReportId!: number;
}

export class SavedReportBody {
  @ApiProperty({ type: 'integer' })
  readonly id!: number;
  @ApiProperty()
  readonly name!: string;
  @ApiProperty({ type: 'object', additionalProperties: true, description: 'As they were sent.' })
  readonly filters!: JsonObject;
  @ApiProperty({ format: 'date-time' })
  readonly createdAt!: string;
}
