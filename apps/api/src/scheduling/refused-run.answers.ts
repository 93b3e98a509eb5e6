import { ApiProperty } from '@nestjs/swagger';

/** Why what a retainer or a recurring payment has due was refused. */
export class RefusedRunBody {
  @ApiProperty({ format: 'date', description: 'The day on which it was due.' })
  readonly runDate!: string;
  @ApiProperty({
    description: 'As a call would have been refused with. INTERNAL: a fault of ours.',
    example: 'VALIDATION_FAILED',
  })
  readonly code!: string;
  @ApiProperty({ description: 'The same in words.' })
  readonly error!: string;
  @ApiProperty({ type: 'integer', description: 'How often it was tried.' })
  readonly attempts!: number;
  @ApiProperty({ format: 'date-time' })
  readonly nextAttemptAt!: string;
}
