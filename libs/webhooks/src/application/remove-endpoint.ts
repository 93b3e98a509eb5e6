import { AppError, type Caller, Clock, Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { EndpointRepository } from './ports/endpoint.repository';

@Injectable()
export class RemoveEndpoint {
  constructor(
    private readonly transactions: Transactions,
    private readonly endpoints: EndpointRepository,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError `NOT_FOUND` when the company has no such endpoint */
  async execute({ companyId }: Caller, endpointId: string): Promise<void> {
    const now = this.clock.now();
    const removed = await this.transactions.run((tx) =>
      this.endpoints.remove(tx, companyId, endpointId, now),
    );
    if (!removed) throw new AppError('NOT_FOUND', 'no such webhook endpoint');
  }
}
