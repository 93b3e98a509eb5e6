import { randomBytes } from 'node:crypto';
import { Config } from '@counterfoil/config';
import { Clock } from '@counterfoil/kernel';
import { JobQueue, type NewJob } from '@counterfoil/queue';
import { Injectable } from '@nestjs/common';
import type { EndpointRef } from '../domain/endpoint';
import type { ClaimedDelivery } from './ports/delivery.repository';

/** Retries of an endpoint that are due within so small a part of their delay share a job, at the end of it. */
const LATENESS_SHARE = 0.01;
/** Retries with at least this delay are queued together, up to `GATHER_MS` later: each call is a commit. */
const GATHERED_DELAY_MS = 1_000;
const GATHER_MS = 100;
/** Of one process and one endpoint. */
const WAKES_WAITING_MAX = 16;

interface Look extends EndpointRef {
  /** In milliseconds since 1970. */
  readonly at: number;
}

/**
 * Wakes a worker for an endpoint, now or when a retry is due. If the queue is unavailable nothing is lost: the sweep
 * finds due deliveries in PostgreSQL.
 */
@Injectable()
export class DeliveryWakeups {
  private readonly wakePrefix = randomBytes(6).toString('hex');
  private wakes = 0;
  private readonly gathered: Look[] = [];
  private gathering: NodeJS.Timeout | undefined;

  constructor(
    private readonly queue: JobQueue,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** Looks soon. */
  async wake(endpoints: readonly EndpointRef[]): Promise<void> {
    await this.queue.signal(
      'webhook.lane',
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
    const soon: Look[] = [];
    for (const { claim, dueAt } of retries) {
      const { endpointId, companyId } = claim;
      const at = dueAt.getTime() <= now ? now : this.sharedTime(dueAt.getTime(), claim.tries);
      const look = { endpointId, companyId, at };
      if (at - now < GATHERED_DELAY_MS) soon.push(look);
      else this.gathered.push(look);
    }
    if (this.gathered.length > 0) {
      this.gathering ??= setTimeout(() => void this.addGathered(), GATHER_MS);
    }
    await this.addLooks(soon);
  }

  /** Queues the retries that wait to be queued together. */
  async addGathered(): Promise<void> {
    clearTimeout(this.gathering);
    this.gathering = undefined;
    await this.addLooks(this.gathered.splice(0));
  }

  private addLooks(looks: readonly Look[]): Promise<void> {
    const now = this.clock.now().getTime();
    const jobs = new Map<string, NewJob<'webhook.lane'>>();
    for (const { endpointId, companyId, at } of looks) {
      const id = `${endpointId}-${at}`;
      jobs.set(id, { id, payload: { endpointId, companyId }, delayMs: Math.max(0, at - now) });
    }
    return this.queue.signal('webhook.lane', [...jobs.values()]);
  }

  /**
   * One of a few ids, so that jobs do not accumulate while no worker takes them. A waiting job looks later than now.
   */
  private nextWakeId(): string {
    this.wakes += 1;
    return `${this.wakePrefix}-${this.wakes % WAKES_WAITING_MAX}`;
  }

  private sharedTime(dueAt: number, triesBefore: number): number {
    const delayMs = this.config.webhookRetryDelaysMs[triesBefore] ?? 0;
    const grainMs = Math.max(1, Math.floor(delayMs * LATENESS_SHARE));
    return Math.ceil(dueAt / grainMs) * grainMs;
  }
}
