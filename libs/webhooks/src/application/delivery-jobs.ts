import { Clock } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { JobQueue } from '@counterfoil/queue';
import { Injectable } from '@nestjs/common';
import type { DueDelivery } from './ports/delivery.repository';

/** Puts due deliveries into the queue. */
@Injectable()
export class DeliveryJobs {
  constructor(
    private readonly queue: JobQueue,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /**
   * Adds a job for each delivery, to run when it is due and not earlier. A job that is in the queue already is not
   * doubled. When the queue cannot be reached nothing is lost: the sweep adds them later.
   */
  async add(deliveries: readonly DueDelivery[]): Promise<void> {
    const now = this.clock.now().getTime();
    const jobs = deliveries.map(({ id, attempts, nextAttemptAt }) => ({
      id: `${id}-${attempts}`,
      payload: { deliveryId: id },
      delayMs: Math.max(0, nextAttemptAt.getTime() - now),
    }));
    try {
      await this.queue.add('webhook.deliver', jobs);
    } catch (error) {
      this.log.warn({ error, jobs: jobs.length }, 'deliveries could not be queued; the sweep will');
    }
  }
}
