import { Clock } from '@counterfoil/kernel';
import { JobQueue } from '@counterfoil/queue';
import { Injectable } from '@nestjs/common';
import { OrderBook } from './ports/order-book';

const BATCH = 500;

/** Has the worker settle what nobody knows the outcome of: it is found in PostgreSQL, whatever became of its jobs. */
@Injectable()
export class SweepOrders {
  constructor(
    private readonly book: OrderBook,
    private readonly queue: JobQueue,
    private readonly clock: Clock,
  ) {}

  async execute(): Promise<void> {
    const due = await this.book.due(this.clock.now(), BATCH);
    const jobs = due.map((operationId) => ({ id: `order-${operationId}`, payload: { operationId } }));
    await this.queue.signal('payment.settle', jobs);
  }
}
