import { AppError, type Caller, Transactions } from '@counterfoil/kernel';
import { Schedules } from '@counterfoil/scheduling';
import { Injectable } from '@nestjs/common';

/** Has a retainer issue nothing any more. What it has issued stays as it is. */
@Injectable()
export class EndRetainer {
  constructor(
    private readonly transactions: Transactions,
    private readonly schedules: Schedules,
  ) {}

  /** @throws AppError `NOT_FOUND` */
  async execute({ companyId }: Caller, id: number): Promise<void> {
    const ended = await this.transactions.run((tx) => this.schedules.end(tx, companyId, 'RETAINER', id));
    if (!ended) throw new AppError('NOT_FOUND', 'no such retainer');
  }
}
