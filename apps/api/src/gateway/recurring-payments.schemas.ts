import { type Interval, INTERVALS } from '@counterfoil/kernel';
import {
  type RecurringPaymentInput,
  CHARGE_STATUSES,
  type ChargeStatus,
  type RecurringPaymentRow,
} from '@counterfoil/payments';
import {
  ChoiceProperty,
  DateProperty,
  IntegerProperty,
  NumberProperty,
  ObjectProperty,
  SuccessBody,
  TextProperty,
  TimeProperty,
} from '../http/answers';
import { CurrencyField, IdField, IntervalField, MoneyField, PlainDateField } from '../http/fields';
import { presentRefusedRun, RefusedRunBody } from '../scheduling/refused-run.schemas';

export class CreateRecurringPaymentBody {
  @IdField({ presence: 'required', description: 'The id of a saved card.' }) readonly tokenId!: number;
  @MoneyField({ presence: 'required', example: 59 }) readonly amount!: number;
  @CurrencyField({ presence: 'optional', description: 'ILS when left out.' })
  readonly currency?: string | null;
  @IntervalField() readonly interval!: Interval;
  @PlainDateField({
    presence: 'required',
    description:
      'The first day, in Israel, on which a charge is due. Of those in the past, up to a year, each is charged at once.',
    example: '2027-01-31',
  })
  readonly nextRunDate!: string;
  @IdField({
    presence: 'optional',
    description: 'The numeric id of a client or vendor; whose card it is when left out.',
  })
  readonly entityId?: number | null;
}

export class CreatedRecurringPaymentBody extends SuccessBody {
  @IntegerProperty() readonly recurringPaymentId!: number;
}

class LastChargeBody {
  @IntegerProperty() readonly id!: number;
  @ChoiceProperty(CHARGE_STATUSES) readonly status!: ChargeStatus;
  @TextProperty({ nullable: true }) readonly failureCode!: string | null;
  @DateProperty({ description: 'The day on which it was due.' }) readonly runDate!: string;
}

export class RecurringPaymentBody {
  @IntegerProperty() readonly id!: number;
  @IntegerProperty() readonly tokenId!: number;
  @NumberProperty() readonly amount!: number;
  @TextProperty({ example: 'ILS' }) readonly currency!: string;
  @IntegerProperty({ nullable: true }) readonly entityId!: number | null;
  @ChoiceProperty(INTERVALS) readonly interval!: Interval;
  @DateProperty({ description: 'When the next charge is due, or was.' }) readonly nextRunDate!: string;
  @ObjectProperty(LastChargeBody, { nullable: true, description: 'Null before the first.' })
  readonly lastCharge!: LastChargeBody | null;
  @ObjectProperty(RefusedRunBody, {
    nullable: true,
    description:
      'Why the due charge could not be started; it is tried again. A declined card does not appear here.',
  })
  readonly refusal!: RefusedRunBody | null;
  @TimeProperty() readonly createdAt!: string;
}

export function toCreateRecurringPaymentInput(body: CreateRecurringPaymentBody): RecurringPaymentInput {
  const { tokenId, amount, currency, interval, nextRunDate, entityId } = body;
  const terms = { tokenId, amount, currency: currency ?? 'ILS', entityId: entityId ?? null };
  return { ...terms, interval, nextRunDate };
}

export function presentCreatedRecurringPayment(recurringPaymentId: number): CreatedRecurringPaymentBody {
  return { success: true, recurringPaymentId };
}

export function presentRecurringPayment(payment: RecurringPaymentRow): RecurringPaymentBody {
  const { id, tokenId, amount, currency, entityId, interval, nextRunDate, lastCharge } = payment;
  return {
    ...{ id, tokenId, amount, currency, entityId, interval, nextRunDate, lastCharge },
    refusal: presentRefusedRun(payment.refusal),
    createdAt: payment.createdAt.toISOString(),
  };
}
