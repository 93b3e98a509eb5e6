import { AppError, type Caller, Clock, Transactions } from '@counterfoil/kernel';
import { Schedules } from '@counterfoil/scheduling';
import { Injectable } from '@nestjs/common';

/** Ends a retainer, so that it issues no further documents. Existing documents stay unchanged. */
@Injectable()
export class EndRetainer {
  constructor(
    private readonly transactions: Transactions,
    private readonly schedules: Schedules,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError `NOT_FOUND` */
  async execute({ companyId }: Caller, id: number): Promise<void> {
    const ended = await this.transactions.run((tx) =>
      this.schedules.end(tx, companyId, { kind: 'RETAINER', id }, this.clock.now()),
    );
    if (!ended) throw new AppError('NOT_FOUND', 'no such retainer');
  }
}
