import { AppError, type Caller, Transactions } from '@counterfoil/kernel';
import { Schedules } from '@counterfoil/scheduling';
import { Injectable } from '@nestjs/common';

/** Has a recurring payment charge nothing any more. */
@Injectable()
export class EndRecurringPayment {
  constructor(
    private readonly transactions: Transactions,
    private readonly schedules: Schedules,
  ) {}

  /** @throws AppError `NOT_FOUND` */
  async execute({ companyId }: Caller, id: number): Promise<void> {
    const ended = await this.transactions.run((tx) =>
      this.schedules.end(tx, companyId, 'RECURRING_PAYMENT', id),
    );
    if (!ended) throw new AppError('NOT_FOUND', 'no such recurring payment');
  }
}
