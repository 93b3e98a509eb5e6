import {
  AppError,
  type Caller,
  Clock,
  type Interval,
  plainDateOf,
  type RetryKey,
  Transactions,
  unknownReference,
} from '@counterfoil/kernel';
import { EntityDirectory } from '@counterfoil/parties';
import { assertFirstRun, ScheduleJobs, Schedules } from '@counterfoil/scheduling';
import { Injectable } from '@nestjs/common';
import { Cards } from './cards';
import { RetryKeyTaken } from './ports/charge.repository';
import { PaymentMethodRepository } from './ports/payment-method.repository';
import { type RecurringPayment, RecurringPaymentRepository } from './ports/recurring-payment.repository';

export interface AskedRecurringPayment extends Omit<RecurringPayment, 'id'> {
  readonly interval: Interval;
  /** The first day on which a charge is due. */
  readonly nextRunDate: string;
}

/** What a payer is charged with at once, for all of the past, had better be no slip of the pen. */
const YEARS_MISSED_MAX = 1;

export interface BegunRecurringPayment {
  readonly id: number;
  /** Nothing was begun now: the company has made this call before, with the same idempotency key. */
  readonly replayed: boolean;
}

/** Has a saved card charged at intervals, from a day on. */
@Injectable()
export class CreateRecurringPayment {
  constructor(
    private readonly transactions: Transactions,
    private readonly payments: RecurringPaymentRepository,
    private readonly methods: PaymentMethodRepository,
    private readonly cards: Cards,
    private readonly entities: EntityDirectory,
    private readonly schedules: Schedules,
    private readonly jobs: ScheduleJobs,
    private readonly clock: Clock,
  ) {}

  /**
   * @param retryKey the idempotency key that the call came with; null when there was none
   * @throws AppError `UNKNOWN_REFERENCE` for an unknown card or entity, `VALIDATION_FAILED` for a day that is long past,
   *   `INVALID_STATE` where the card's provider is not there, and `IDEMPOTENCY_KEY_REUSED`
   */
  async execute(
    { companyId }: Caller,
    asked: AskedRecurringPayment,
    retryKey: RetryKey | null,
  ): Promise<BegunRecurringPayment> {
    const known = await this.begunUnder(companyId, retryKey);
    if (known) return known;
    await this.assertPossible(companyId, asked);
    try {
      return { id: await this.begin(companyId, asked, retryKey), replayed: false };
    } catch (error) {
      const first = error instanceof RetryKeyTaken && (await this.begunUnder(companyId, retryKey));
      if (!first) throw error;
      return first;
    }
  }

  private async assertPossible(
    companyId: number,
    { nextRunDate, entityId }: AskedRecurringPayment,
  ): Promise<void> {
    assertFirstRun(nextRunDate, plainDateOf(this.clock.now()), YEARS_MISSED_MAX);
    if (entityId !== null && !(await this.entities.find(companyId, entityId)))
      throw unknownReference('entityId', 'client or vendor');
  }

  private begin(
    companyId: number,
    { interval, nextRunDate, ...asked }: AskedRecurringPayment,
    retryKey: RetryKey | null,
  ): Promise<number> {
    return this.transactions.run(async (tx) => {
      const now = this.clock.now();
      const method = await this.methods.hold(tx, companyId, asked.tokenId);
      if (!method) throw unknownReference('tokenId', 'saved card');
      this.cards.assertServed(method);
      const schedule = { kind: 'RECURRING_PAYMENT', interval, firstRunDate: nextRunDate } as const;
      const id = await this.schedules.open(tx, companyId, schedule);
      const payment = { ...asked, id, entityId: asked.entityId ?? method.entityId };
      await this.payments.insert(tx, companyId, { ...payment, retryKey, createdAt: now });
      if (nextRunDate <= plainDateOf(now)) this.jobs.signalAfter(tx, companyId);
      return id;
    });
  }

  private async begunUnder(
    companyId: number,
    retryKey: RetryKey | null,
  ): Promise<BegunRecurringPayment | null> {
    const known = retryKey && (await this.payments.under(companyId, retryKey.key));
    if (!known) return null;
    if (known.fingerprint.equals(retryKey.fingerprint)) return { id: known.id, replayed: true };
    throw new AppError('IDEMPOTENCY_KEY_REUSED', 'this Idempotency-Key was sent with another call');
  }
}
