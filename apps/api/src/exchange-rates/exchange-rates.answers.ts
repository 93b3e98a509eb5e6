import { RATE_UNITS } from '@counterfoil/expenses';
import { ApiProperty } from '@nestjs/swagger';
import { SuccessBody } from '../http/answers';

export class SavedRatesBody extends SuccessBody {
  @ApiProperty({ type: 'integer', description: 'How many were sent, all of which are there now.' })
  readonly saved!: number;
  @ApiProperty({ type: 'integer', description: 'How many of them there was none for.' })
  readonly new!: number;
  @ApiProperty({ type: 'integer', description: 'How many of them were another before.' })
  readonly revised!: number;
}

export class RateBody {
  @ApiProperty({ type: 'integer' })
  readonly id!: number;
  @ApiProperty()
  readonly currency!: string;
  @ApiProperty({ format: 'date' })
  readonly date!: string;
  @ApiProperty({ description: 'Shekels for so many units.' })
  readonly rate!: number;
  @ApiProperty({ type: 'integer', enum: RATE_UNITS, description: 'How many units the rate is for.' })
  readonly unit!: number;
  @ApiProperty({
    enum: ['company', 'published'],
    description: "The company's own wins over the one that was published for the same day.",
  })
  readonly source!: string;
  @ApiProperty({ format: 'date-time' })
  readonly createdAt!: string;
  @ApiProperty({ format: 'date-time', description: 'When it was last revised.' })
  readonly updatedAt!: string;
}
