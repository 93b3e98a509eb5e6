import { Clock, Transactions, unknownReference } from '@counterfoil/kernel';
import { type ScheduledRun, type ScheduledWork, Schedules } from '@counterfoil/scheduling';
import { Injectable } from '@nestjs/common';
import { CardLookup } from './card-lookup';
import { ChargeRepository } from './ports/charge.repository';
import { PaymentMethodRepository } from './ports/payment-method.repository';
import { type RecurringPayment, RecurringPaymentRepository } from './ports/recurring-payment.repository';

/** Creates the due charges of recurring payments, one for each due day. */
@Injectable()
export class ChargeRecurringPayment implements ScheduledWork {
  constructor(
    private readonly transactions: Transactions,
    private readonly payments: RecurringPaymentRepository,
    private readonly methods: PaymentMethodRepository,
    private readonly providers: CardLookup,
    private readonly charges: ChargeRepository,
    private readonly schedules: Schedules,
    private readonly clock: Clock,
  ) {}

  /**
   * Records the run in the transaction that creates its charge. The request is sent later with the other
   * pending requests, so that a provider that does not answer delays no other runs.
   */
  async carryOut(run: ScheduledRun): Promise<void> {
    const payment = await this.payments.find(run.companyId, run.scheduleId);
    if (!payment) throw new Error(`recurring payment ${run.scheduleId} is missing`);
    await this.begin(run, payment);
  }

  /** A declined card is reported as `charge.failed` and does not count as a failed run. */
  eventsOf(): Promise<readonly []> {
    return Promise.resolve([]);
  }

  private async begin(run: ScheduledRun, payment: RecurringPayment): Promise<void> {
    const { companyId, runDate } = run;
    const { id: recurringPaymentId, tokenId, entityId, amount, currency } = payment;
    await this.transactions.run(async (tx) => {
      const now = this.clock.now();
      // Locks the card before the schedule, in the same order as removing a card does.
      const method = await this.methods.hold(tx, companyId, tokenId);
      await this.schedules.take(tx, run, now);
      if (!method) throw unknownReference('tokenId', 'saved card');
      this.providers.assertServed(method);
      const newCharge = {
        tokenId,
        recurringPaymentId,
        runDate,
        entityId,
        documentId: null,
        amount,
        currency,
      };
      const charge = await this.charges.insert(tx, companyId, newCharge, now);
      const newOperation = {
        chargeId: charge.id,
        kind: 'SALE',
        amount,
        createdAt: now,
        nextAttemptAt: now,
      } as const;
      await this.charges.insertOperation(tx, companyId, newOperation);
    });
  }
}
