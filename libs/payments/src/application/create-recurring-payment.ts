import { Idempotency, type IdempotentCall } from '@counterfoil/idempotency';
import {
  type Caller,
  Clock,
  type Interval,
  plainDateOf,
  type Transaction,
  unknownReference,
} from '@counterfoil/kernel';
import { PartyDirectory } from '@counterfoil/parties';
import { assertFirstRun, ScheduleJobs, Schedules } from '@counterfoil/scheduling';
import { Injectable } from '@nestjs/common';
import { CardLookup } from './card-lookup';
import { PaymentMethodRepository } from './ports/payment-method.repository';
import { type RecurringPayment, RecurringPaymentRepository } from './ports/recurring-payment.repository';

export interface RecurringPaymentInput extends Omit<RecurringPayment, 'id'> {
  readonly interval: Interval;
  /** The day of the first charge. */
  readonly nextRunDate: string;
}

/** Missed runs are charged at once, so this limits how far back the first one may lie. */
const YEARS_MISSED_MAX = 1;

/** Creates an order to charge a saved card at intervals. */
@Injectable()
export class CreateRecurringPayment {
  constructor(
    private readonly idempotency: Idempotency,
    private readonly payments: RecurringPaymentRepository,
    private readonly methods: PaymentMethodRepository,
    private readonly providers: CardLookup,
    private readonly parties: PartyDirectory,
    private readonly schedules: Schedules,
    private readonly jobs: ScheduleJobs,
    private readonly clock: Clock,
  ) {}

  /**
   * @param call null if the call has no idempotency key
   * @returns the id of the recurring payment
   * @throws IdempotencyKeyTaken
   * @throws AppError `UNKNOWN_REFERENCE` for an unknown card or entity, `VALIDATION_FAILED` if the first day
   * is too far in
   *   the past, `INVALID_STATE` if the card's provider is not configured
   */
  async execute(
    { companyId }: Caller,
    input: RecurringPaymentInput,
    call: IdempotentCall<number> | null = null,
  ): Promise<number> {
    await this.assertPossible(companyId, input);
    return this.idempotency.run(companyId, call, (tx) => this.begin(tx, companyId, input));
  }

  private async assertPossible(
    companyId: number,
    { nextRunDate, entityId }: RecurringPaymentInput,
  ): Promise<void> {
    assertFirstRun(nextRunDate, plainDateOf(this.clock.now()), YEARS_MISSED_MAX);
    if (entityId !== null && !(await this.parties.find(companyId, entityId)))
      throw unknownReference('entityId', 'client or vendor');
  }

  private async begin(
    tx: Transaction,
    companyId: number,
    { interval, nextRunDate, ...input }: RecurringPaymentInput,
  ): Promise<number> {
    const now = this.clock.now();
    const method = await this.methods.hold(tx, companyId, input.tokenId);
    if (!method) throw unknownReference('tokenId', 'saved card');
    this.providers.assertServed(method);
    const schedule = { kind: 'RECURRING_PAYMENT', interval, firstRunDate: nextRunDate } as const;
    const id = await this.schedules.open(tx, companyId, schedule);
    const payment = { ...input, id, entityId: input.entityId ?? method.entityId };
    await this.payments.insert(tx, companyId, { ...payment, createdAt: now });
    if (nextRunDate <= plainDateOf(now)) this.jobs.signalAfter(tx, companyId);
    return id;
  }
}
