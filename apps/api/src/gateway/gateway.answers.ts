import { type Interval, INTERVALS } from '@counterfoil/kernel';
import {
  CHARGE_STATUSES,
  type ChargeStatus,
  PAYMENT_PAGE_STATUSES,
  type PaymentPageStatus,
} from '@counterfoil/payments';
import { ApiProperty } from '@nestjs/swagger';
import { SuccessBody } from '../http/answers';
import { RefusedRunBody } from '../scheduling/refused-run.answers';

const ID = { type: 'integer' } as const;
const NULLABLE_ID = { type: 'integer', nullable: true } as const;
const TIME = { format: 'date-time' } as const;

class TestTokenBody {
  @ApiProperty({ example: 'tok_approved' })
  readonly providerToken!: string;
  @ApiProperty()
  readonly description!: string;
}

export class ProviderBody {
  @ApiProperty({ example: 'sandbox' })
  readonly provider!: string;
  @ApiProperty({ example: 'Sandbox' })
  readonly name!: string;
  @ApiProperty({ description: 'Whether no money moves.' })
  readonly isSandbox!: boolean;
  @ApiProperty({ type: [TestTokenBody], description: 'What can be tried without a card.' })
  readonly testTokens!: readonly TestTokenBody[];
}

export class AttachedTokenBody extends SuccessBody {
  @ApiProperty(ID)
  readonly tokenId!: number;
}

/** A saved card, by what tells it from another. */
export class TokenBody {
  @ApiProperty({ ...ID, description: 'The tokenId that charges name.' })
  readonly id!: number;
  @ApiProperty({ example: 'sandbox' })
  readonly provider!: string;
  @ApiProperty({ example: 'VISA' })
  readonly brand!: string;
  @ApiProperty({ pattern: '^[0-9]{4}$', example: '4242' })
  readonly last4!: string;
  @ApiProperty({ ...ID, minimum: 1, maximum: 12 })
  readonly expiryMonth!: number;
  @ApiProperty(ID)
  readonly expiryYear!: number;
  @ApiProperty({ ...NULLABLE_ID, description: 'Whose card it is.' })
  readonly entityId!: number | null;
  @ApiProperty(TIME)
  readonly createdAt!: string;
}

export class CreatedPaymentPageBody extends SuccessBody {
  @ApiProperty(ID)
  readonly paymentPageId!: number;
  @ApiProperty({ description: 'Where to send the payer. Who has it may pay.' })
  readonly url!: string;
}

const PAGE_STATUS = {
  enum: PAYMENT_PAGE_STATUSES,
  description: '`PENDING` until the provider has said what came of it. A refund leaves it `PAID`.',
} as const;

export class PaymentPageBody {
  @ApiProperty(ID)
  readonly id!: number;
  @ApiProperty()
  readonly amount!: number;
  @ApiProperty({ example: 'ILS' })
  readonly currency!: string;
  @ApiProperty()
  readonly description!: string;
  @ApiProperty(NULLABLE_ID)
  readonly entityId!: number | null;
  @ApiProperty(PAGE_STATUS)
  readonly status!: PaymentPageStatus;
  @ApiProperty({ ...NULLABLE_ID, description: 'The last charge on it, a declined one included.' })
  readonly chargeId!: number | null;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Null when its provider is not configured any more.',
  })
  readonly url!: string | null;
  @ApiProperty(TIME)
  readonly createdAt!: string;
}

export class PaidPageBody extends SuccessBody {
  @ApiProperty({ ...PAGE_STATUS, description: `How the page stands now. ${PAGE_STATUS.description}` })
  readonly status!: PaymentPageStatus;
  @ApiProperty({ type: String, nullable: true, description: 'Why the card was declined; null where not.' })
  readonly failureCode!: string | null;
}

export class CreatedRecurringPaymentBody extends SuccessBody {
  @ApiProperty(ID)
  readonly recurringPaymentId!: number;
}

class LastChargeBody {
  @ApiProperty(ID)
  readonly id!: number;
  @ApiProperty({ enum: CHARGE_STATUSES })
  readonly status!: ChargeStatus;
  @ApiProperty({ type: String, nullable: true })
  readonly failureCode!: string | null;
  @ApiProperty({ format: 'date', description: 'The day on which it was due.' })
  readonly runDate!: string;
}

export class RecurringPaymentBody {
  @ApiProperty(ID)
  readonly id!: number;
  @ApiProperty(ID)
  readonly tokenId!: number;
  @ApiProperty()
  readonly amount!: number;
  @ApiProperty({ example: 'ILS' })
  readonly currency!: string;
  @ApiProperty(NULLABLE_ID)
  readonly entityId!: number | null;
  @ApiProperty({ enum: INTERVALS })
  readonly interval!: Interval;
  @ApiProperty({ format: 'date', description: 'When the next charge is due, or was.' })
  readonly nextRunDate!: string;
  @ApiProperty({ type: LastChargeBody, nullable: true, description: 'Null before the first.' })
  readonly lastCharge!: LastChargeBody | null;
  @ApiProperty({
    type: RefusedRunBody,
    nullable: true,
    description: 'Why the charge that is due could not be begun; it is tried again. A declined card is none.',
  })
  readonly refusal!: RefusedRunBody | null;
  @ApiProperty(TIME)
  readonly createdAt!: string;
}
