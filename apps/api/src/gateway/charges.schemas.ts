import {
  type ChargeInput,
  type StartedOperation,
  type Charge,
  CHARGE_FILTERS,
  CHARGE_STATUSES,
  type ChargeRecord,
  type ChargeStatus,
  isAuthorizedOnly,
  type Operation,
  OPERATION_KINDS,
} from '@counterfoil/payments';
import {
  BooleanProperty,
  ChoiceProperty,
  DateProperty,
  IntegerProperty,
  ListProperty,
  NumberProperty,
  SuccessBody,
  TextProperty,
  TimeProperty,
} from '../http/answers';
import { BooleanField, CurrencyField, IdField, MoneyField } from '../http/fields';
import { ListFilters } from '../http/query-fields';
import { NoPanTextField } from './no-pan-field';

const REASON_MAX = 500;

export class CreateChargeBody {
  @IdField({ presence: 'required', description: 'The id of a saved card.' }) readonly tokenId!: number;
  @MoneyField({ presence: 'required', example: 118 }) readonly amount!: number;
  @CurrencyField({ presence: 'optional', description: 'ILS when left out.' })
  readonly currency?: string | null;
  @IdField({
    presence: 'optional',
    description: 'The numeric id of a client or vendor; whose card it is when left out.',
  })
  readonly entityId?: number | null;
  @IdField({ presence: 'optional', description: 'The numeric id of the document that is paid for.' })
  readonly documentId?: number | null;
  @BooleanField({
    presence: 'optional',
    description: 'false only authorizes the amount, to be captured or canceled later. true when left out.',
  })
  readonly capture?: boolean | null;
}

export class CaptureChargeBody {
  @MoneyField({
    presence: 'optional',
    description: 'At most what is authorized; all of it when left out. The rest is released.',
  })
  readonly amount?: number | null;
}

export class RefundChargeBody {
  @MoneyField({
    presence: 'optional',
    description: 'At most what was captured and is not refunded; all of that when left out.',
  })
  readonly amount?: number | null;
  @NoPanTextField({ presence: 'optional', max: REASON_MAX, example: 'Returned' })
  readonly reason?: string | null;
}

export class ListChargesQuery extends ListFilters(CHARGE_FILTERS) {}

export const OPERATION_STATES = ['PENDING', 'SUCCEEDED', 'FAILED'] as const;

const PENDING = '`PENDING` until the provider has said what came of it.';

const StatusProperty = () =>
  ChoiceProperty(CHARGE_STATUSES, { description: `${PENDING} A refund leaves it \`SUCCEEDED\`.` });
const StateProperty = (subject = '') =>
  ChoiceProperty(OPERATION_STATES, { description: `${subject}${PENDING}` });
const FailureCodeProperty = () =>
  TextProperty({
    nullable: true,
    example: null,
    description: 'Why the provider declined it; null where it did not.',
  });

/** The state of a new charge. */
export class BegunChargeBody extends SuccessBody {
  @IntegerProperty() readonly chargeId!: number;
  @StatusProperty() readonly status!: ChargeStatus;
  @FailureCodeProperty() readonly failureCode!: string | null;
}

/** The state of a charge after a call to change it, and the outcome of that call. */
export class ChangedChargeBody extends SuccessBody {
  @IntegerProperty() readonly chargeId!: number;
  @StatusProperty() readonly status!: ChargeStatus;
  @StateProperty('The outcome of the call. ') readonly state!: Operation['state'];
  @FailureCodeProperty() readonly failureCode!: string | null;
}

export class BegunRefundBody extends SuccessBody {
  @IntegerProperty() readonly refundId!: number;
  @StateProperty() readonly state!: Operation['state'];
  @FailureCodeProperty() readonly failureCode!: string | null;
}

export class ChargeBody {
  @IntegerProperty() readonly id!: number;
  @NumberProperty() readonly amount!: number;
  @TextProperty({ example: 'ILS' }) readonly currency!: string;
  @StatusProperty() readonly status!: ChargeStatus;
  @BooleanProperty({ description: 'Whether the amount is, or was, authorized and nothing of it was taken.' })
  readonly authorizedOnly!: boolean;
  @NumberProperty() readonly capturedAmount!: number;
  @NumberProperty() readonly refundedAmount!: number;
  @IntegerProperty({ description: 'The id of the card, also if it paid on a payment page or was removed.' })
  readonly tokenId!: number;
  @IntegerProperty({ nullable: true }) readonly entityId!: number | null;
  @IntegerProperty({ nullable: true }) readonly documentId!: number | null;
  @IntegerProperty({ nullable: true }) readonly paymentPageId!: number | null;
  @IntegerProperty({ nullable: true }) readonly recurringPaymentId!: number | null;
  @DateProperty({ nullable: true, description: 'Of a recurring payment: the day on which it was due.' })
  readonly runDate!: string | null;
  @FailureCodeProperty() readonly failureCode!: string | null;
  @TimeProperty() readonly createdAt!: string;
  @TimeProperty() readonly updatedAt!: string;
}

export class ChargeOperationBody {
  @IntegerProperty({ description: 'Of a `REFUND`: the refundId.' }) readonly id!: number;
  @ChoiceProperty(OPERATION_KINDS, {
    description: '`SALE` takes the money at once; a `VOID` cancels an authorization.',
  })
  readonly kind!: Operation['kind'];
  @NumberProperty() readonly amount!: number;
  @TextProperty({ nullable: true }) readonly reason!: string | null;
  @StateProperty() readonly state!: Operation['state'];
  @FailureCodeProperty() readonly failureCode!: string | null;
  @TimeProperty() readonly createdAt!: string;
}

export class ChargeRecordBody extends ChargeBody {
  @ListProperty(ChargeOperationBody, { description: 'All that was asked of the provider, in order.' })
  readonly operations!: readonly ChargeOperationBody[];
}

/** Fills in the defaults. A null counts as left out. */
export function toCreateChargeInput(body: CreateChargeBody): ChargeInput {
  const { tokenId, amount, entityId, documentId } = body;
  return {
    tokenId,
    amount,
    currency: body.currency ?? 'ILS',
    entityId: entityId ?? null,
    documentId: documentId ?? null,
    capture: body.capture ?? true,
  };
}

export function presentBegunCharge({
  charge: { id, status, failureCode },
}: StartedOperation): BegunChargeBody {
  return { success: true, chargeId: id, status, failureCode };
}

export function presentChangedCharge({ charge, operation }: StartedOperation): ChangedChargeBody {
  const { state, failureCode } = operation;
  return { success: true, chargeId: charge.id, status: charge.status, state, failureCode };
}

export function presentBegunRefund({
  operation: { id, state, failureCode },
}: StartedOperation): BegunRefundBody {
  return { success: true, refundId: id, state, failureCode };
}

export function presentCharge(charge: Charge): ChargeBody {
  const { id, amount, currency, status, capturedAmount, refundedAmount, failureCode } = charge;
  const { tokenId, entityId, documentId, paymentPageId, recurringPaymentId, runDate } = charge;
  return {
    ...{ id, amount, currency, status, authorizedOnly: isAuthorizedOnly(charge) },
    ...{ capturedAmount, refundedAmount },
    ...{ tokenId, entityId, documentId, paymentPageId, recurringPaymentId, runDate, failureCode },
    createdAt: charge.createdAt.toISOString(),
    updatedAt: charge.updatedAt.toISOString(),
  };
}

export function presentChargeRecord(charge: ChargeRecord): ChargeRecordBody {
  return { ...presentCharge(charge), operations: charge.operations.map(presentOperation) };
}

function presentOperation(operation: Operation): ChargeOperationBody {
  const { id, kind, amount, reason, state, failureCode, createdAt } = operation;
  return { id, kind, amount, reason, state, failureCode, createdAt: createdAt.toISOString() };
}
