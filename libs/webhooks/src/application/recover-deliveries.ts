import { type Backlog, Clock } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { Injectable } from '@nestjs/common';
import { EndpointDispatcher } from './endpoint-dispatcher';
import { FanOutEvents } from './fan-out-events';
import { DeliveryRepository } from './ports/delivery.repository';
import { RedeliveryRepository } from './ports/redelivery.repository';
import { RunRedelivery } from './run-redelivery';

/**
 * A delivery that is overdue by this much was lost by the queue, or its worker died. With less, it is
 * probably about to be sent.
 */
const GRACE_MS = 2_000;
const DROP_BATCH = 5_000;
const RUNNING_MAX = 10;

/** Finds work that the queue has lost. PostgreSQL records everything that is due. */
@Injectable()
export class RecoverDeliveries {
  constructor(
    private readonly fanOutEvents: FanOutEvents,
    private readonly deliveries: DeliveryRepository,
    private readonly dispatcher: EndpointDispatcher,
    private readonly redeliveries: RedeliveryRepository,
    private readonly runRedelivery: RunRedelivery,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** @param signal stops after the current batch */
  async execute(signal?: AbortSignal): Promise<void> {
    await this.fanOutEvents.execute(signal);
    const now = this.clock.now();
    this.dispatcher.wake(await this.deliveries.overdue(new Date(now.getTime() - GRACE_MS)));
    while ((await this.deliveries.dropOfRemoved(now, DROP_BATCH)) === DROP_BATCH) {
      if (signal?.aborted) return;
    }
    // Not awaited: the next recovery must run soon, however long redeliveries take.
    for (const replayId of await this.redeliveries.unfinished(RUNNING_MAX)) this.carryOn(replayId);
    await this.deliveries.mergeCounts();
  }

  backlog(): Promise<Backlog> {
    return this.deliveries.backlog(this.clock.now());
  }

  private carryOn(replayId: number): void {
    this.runRedelivery
      .execute(replayId)
      .catch((error: unknown) =>
        this.log.warn({ error, replayId }, 'a redelivery was interrupted; it continues later'),
      );
  }
}
