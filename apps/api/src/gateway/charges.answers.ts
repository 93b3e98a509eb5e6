import { CHARGE_STATUSES, type ChargeStatus, OPERATION_KINDS, type Operation } from '@counterfoil/payments';
import { ApiProperty } from '@nestjs/swagger';
import { SuccessBody } from '../http/answers';

const ID = { type: 'integer' } as const;
const NULLABLE_ID = { type: 'integer', nullable: true } as const;
const STATUS = {
  enum: CHARGE_STATUSES,
  description: '`PENDING` until the provider has said what came of it. A refund leaves it `SUCCEEDED`.',
} as const;
const STATE = {
  enum: ['PENDING', 'SUCCEEDED', 'FAILED'],
  description: '`PENDING` until the provider has said what came of it.',
} as const;
const FAILURE_CODE = {
  type: String,
  nullable: true,
  example: null,
  description: 'Why the provider declined it; null where it did not.',
} as const;

/** How a charge stands that a call began. */
export class BegunChargeBody extends SuccessBody {
  @ApiProperty(ID)
  readonly chargeId!: number;
  @ApiProperty(STATUS)
  readonly status!: ChargeStatus;
  @ApiProperty(FAILURE_CODE)
  readonly failureCode!: string | null;
}

/** How a charge stands that a call was to change, and what came of the call. */
export class ChangedChargeBody extends SuccessBody {
  @ApiProperty(ID)
  readonly chargeId!: number;
  @ApiProperty(STATUS)
  readonly status!: ChargeStatus;
  @ApiProperty({ ...STATE, description: `What came of the call. ${STATE.description}` })
  readonly state!: Operation['state'];
  @ApiProperty(FAILURE_CODE)
  readonly failureCode!: string | null;
}

export class BegunRefundBody extends SuccessBody {
  @ApiProperty(ID)
  readonly refundId!: number;
  @ApiProperty(STATE)
  readonly state!: Operation['state'];
  @ApiProperty(FAILURE_CODE)
  readonly failureCode!: string | null;
}

export class ChargeBody {
  @ApiProperty(ID)
  readonly id!: number;
  @ApiProperty()
  readonly amount!: number;
  @ApiProperty({ example: 'ILS' })
  readonly currency!: string;
  @ApiProperty(STATUS)
  readonly status!: ChargeStatus;
  @ApiProperty({ description: 'Whether the amount is, or was, authorized and nothing of it was taken.' })
  readonly authorizedOnly!: boolean;
  @ApiProperty()
  readonly capturedAmount!: number;
  @ApiProperty()
  readonly refundedAmount!: number;
  @ApiProperty({ ...ID, description: 'The card; of one that paid a page, and of one that was removed, too.' })
  readonly tokenId!: number;
  @ApiProperty(NULLABLE_ID)
  readonly entityId!: number | null;
  @ApiProperty(NULLABLE_ID)
  readonly documentId!: number | null;
  @ApiProperty(NULLABLE_ID)
  readonly paymentPageId!: number | null;
  @ApiProperty(NULLABLE_ID)
  readonly recurringPaymentId!: number | null;
  @ApiProperty({
    type: String,
    format: 'date',
    nullable: true,
    description: 'Of a recurring payment: the day on which it was due.',
  })
  readonly runDate!: string | null;
  @ApiProperty(FAILURE_CODE)
  readonly failureCode!: string | null;
  @ApiProperty({ format: 'date-time' })
  readonly createdAt!: string;
  @ApiProperty({ format: 'date-time' })
  readonly updatedAt!: string;
}

export class ChargeOperationBody {
  @ApiProperty({ ...ID, description: 'Of a `REFUND`: the refundId.' })
  readonly id!: number;
  @ApiProperty({
    enum: OPERATION_KINDS,
    description: '`SALE` takes the money at once; a `VOID` cancels an authorization.',
  })
  readonly kind!: Operation['kind'];
  @ApiProperty()
  readonly amount!: number;
  @ApiProperty({ type: String, nullable: true })
  readonly reason!: string | null;
  @ApiProperty(STATE)
  readonly state!: Operation['state'];
  @ApiProperty(FAILURE_CODE)
  readonly failureCode!: string | null;
  @ApiProperty({ format: 'date-time' })
  readonly createdAt!: string;
}

export class ChargeRecordBody extends ChargeBody {
  @ApiProperty({ type: [ChargeOperationBody], description: 'All that was asked of the provider, in order.' })
  readonly operations!: readonly ChargeOperationBody[];
}
