import { randomBytes } from 'node:crypto';
import { Config } from '@counterfoil/config';
import { Clock } from '@counterfoil/kernel';
import { JobQueue, type NewJob } from '@counterfoil/queue';
import { Injectable } from '@nestjs/common';
import type { EndpointRef } from '../domain/endpoint';
import type { ClaimedDelivery } from './ports/delivery.repository';

/**
 * Retries of an endpoint whose due times differ by at most this share of their delay share a job, at the
 * latest of the times.
 */
const LATENESS_SHARE = 0.01;
/**
 * Retries with at least this delay are added to the queue in groups, up to `GATHER_MS` later, because each
 * call of the queue costs a commit.
 */
const GATHERED_DELAY_MS = 1_000;
const GATHER_MS = 100;
/** Maximum number of waiting wake jobs for one process and endpoint. */
const WAKES_WAITING_MAX = 16;

interface Look extends EndpointRef {
  /** In milliseconds since 1970. */
  readonly at: number;
}

/**
 * Wakes a worker for an endpoint, now or when a retry is due. If the queue is unavailable, nothing is lost:
 * the sweep finds due deliveries in PostgreSQL.
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

  /** Wakes a worker for each endpoint as soon as possible. */
  async wake(endpoints: readonly EndpointRef[]): Promise<void> {
    await this.queue.signal(
      'webhook.lane',
      endpoints.map(({ endpointId, companyId }) => ({
        id: `${endpointId}-${this.nextWakeId()}`,
        payload: { endpointId, companyId },
      })),
    );
  }

  /** Wakes a worker when the retries are due: never early, and late by at most 1% of the delay. */
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

  /** Adds the gathered retries to the queue. */
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
   * Ids are reused cyclically, so that jobs do not accumulate while no worker takes them. A job that is still
   * waiting will find everything that is due by now.
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
