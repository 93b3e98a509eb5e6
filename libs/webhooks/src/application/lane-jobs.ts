import { randomBytes } from 'node:crypto';
import { Config } from '@counterfoil/config';
import { Clock } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { JobQueue, type NewJob } from '@counterfoil/queue';
import { Injectable } from '@nestjs/common';
import type { EndpointRef } from '../domain/endpoint';
import type { ClaimedDelivery } from './ports/delivery.repository';

/** Retries of an endpoint that are due within so small a part of their delay share a job, at the end of it. */
const LATENESS_SHARE = 0.01;
/** Of one process and one endpoint. */
const WAKES_WAITING_MAX = 16;

/**
 * Has a worker look at an endpoint, now or when a retry is due. When the queue cannot be reached nothing is lost: the
 * sweep finds in PostgreSQL what is due.
 */
@Injectable()
export class LaneJobs {
  private readonly wakePrefix = randomBytes(6).toString('hex');
  private wakes = 0;

  constructor(
    private readonly queue: JobQueue,
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** Looks soon. */
  async wake(endpoints: readonly EndpointRef[]): Promise<void> {
    await this.add(
      endpoints.map(({ endpointId, companyId }) => ({
        id: `${endpointId}-${this.nextWakeId()}`,
        payload: { endpointId, companyId },
      })),
    );
  }

  /** Never early, and at most one part in a hundred late. */
  async wakeForRetries(
    retries: readonly { readonly claim: ClaimedDelivery; readonly dueAt: Date }[],
  ): Promise<void> {
    const now = this.clock.now().getTime();
    const jobs = new Map<string, NewJob<'webhook.lane'>>();
    for (const { claim, dueAt } of retries) {
      const { endpointId, companyId } = claim;
      const lookAt = dueAt.getTime() <= now ? now : this.sharedTime(dueAt.getTime(), claim.tries);
      const id = `${endpointId}-${lookAt}`;
      jobs.set(id, { id, payload: { endpointId, companyId }, delayMs: Math.max(0, lookAt - now) });
    }
    await this.add([...jobs.values()]);
  }

  /** One of a few, so that they do not pile up while no worker takes them: one that waits will look later than now. */
  private nextWakeId(): string {
    this.wakes += 1;
    return `${this.wakePrefix}-${this.wakes % WAKES_WAITING_MAX}`;
  }

  private sharedTime(dueAt: number, triesBefore: number): number {
    const delayMs = this.config.webhookRetryDelaysMs[triesBefore] ?? 0;
    const grainMs = Math.max(1, Math.floor(delayMs * LATENESS_SHARE));
    return Math.ceil(dueAt / grainMs) * grainMs;
  }

  private async add(jobs: readonly NewJob<'webhook.lane'>[]): Promise<void> {
    if (jobs.length === 0) return;
    try {
      await this.queue.add('webhook.lane', jobs);
    } catch (error) {
      this.log.warn({ error, jobs: jobs.length }, 'endpoints could not be queued; the sweep finds them');
    }
  }
}
