import { Clock } from '@counterfoil/kernel';
import { JobQueue } from '@counterfoil/queue';
import { Injectable } from '@nestjs/common';
import { ProviderRequestRepository } from './ports/provider-request.repository';

const BATCH = 500;

/**
 * Has the worker resolve operations with an unknown outcome. They are found in PostgreSQL, independently of their
 * jobs.
 */
@Injectable()
export class RecoverProviderRequests {
  constructor(
    private readonly repository: ProviderRequestRepository,
    private readonly queue: JobQueue,
    private readonly clock: Clock,
  ) {}

  async execute(): Promise<void> {
    const due = await this.repository.due(this.clock.now(), BATCH);
    const jobs = due.map((operationId) => ({ id: `order-${operationId}`, payload: { operationId } }));
    await this.queue.signal('payment.settle', jobs);
  }
}
