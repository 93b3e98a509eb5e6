import { type Backlog, Clock } from '@counterfoil/kernel';
import { JobQueue } from '@counterfoil/queue';
import { Injectable } from '@nestjs/common';
import { ProviderRequestRepository } from './ports/provider-request.repository';

const BATCH = 500;

/** Finds operations with an unknown outcome in PostgreSQL, and signals jobs that resolve them. */
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

  backlog(): Promise<Backlog> {
    return this.repository.backlog(this.clock.now());
  }
}
