import { AppError, type Caller, Clock, Transactions } from '@counterfoil/kernel';
import { Outbox } from '@counterfoil/outbox';
import { Schedules } from '@counterfoil/scheduling';
import { Injectable } from '@nestjs/common';
import { detached } from './events';
import { PaymentMethodRepository } from './ports/payment-method.repository';
import { RecurringPaymentRepository } from './ports/recurring-payment.repository';

/** Removes a saved card, and ends the recurring payments that charge it. */
@Injectable()
export class DetachPaymentMethod {
  constructor(
    private readonly transactions: Transactions,
    private readonly methods: PaymentMethodRepository,
    private readonly recurring: RecurringPaymentRepository,
    private readonly schedules: Schedules,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError `NOT_FOUND` */
  async execute({ companyId }: Caller, id: number): Promise<void> {
    await this.transactions.run(async (tx) => {
      const now = this.clock.now();
      const method = await this.methods.detach(tx, companyId, id, now);
      if (!method) throw new AppError('NOT_FOUND', 'no such saved card');
      const ids = await this.recurring.idsOfCard(tx, companyId, id);
      await this.schedules.endAll(tx, companyId, { kind: 'RECURRING_PAYMENT', ids }, now);
      await this.outbox.append(tx, companyId, [detached(method)]);
    });
  }
}
