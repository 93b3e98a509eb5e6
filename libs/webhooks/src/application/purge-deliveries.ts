import { Config } from '@counterfoil/config';
import { Clock } from '@counterfoil/kernel';
import { Outbox } from '@counterfoil/outbox';
import { Injectable } from '@nestjs/common';
import { DeliveryBudget } from './delivery-budget';
import { DeliveryRepository } from './ports/delivery.repository';
import { EndpointRepository } from './ports/endpoint.repository';
import { RedeliveryRepository } from './ports/redelivery.repository';

/** Deletes old deliveries, and then the events that no delivery refers to any more. */
@Injectable()
export class PurgeDeliveries {
  constructor(
    private readonly deliveries: DeliveryRepository,
    private readonly redeliveries: RedeliveryRepository,
    private readonly endpoints: EndpointRepository,
    private readonly outbox: Outbox,
    private readonly budget: DeliveryBudget,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /**
   * @param signal stops after the current batch
   * @returns the number of deleted deliveries
   */
  async execute(signal = new AbortController().signal): Promise<number> {
    const before = new Date(this.clock.now().getTime() - this.config.webhookRetentionMs);
    const purged = await this.deliveries.purge(before, signal);
    if (signal.aborted) return purged;
    await this.outbox.purge(before, (eventIds) => this.deliveries.referredTo(eventIds), signal);
    await this.redeliveries.purge(before, signal);
    await this.endpoints.purge(before, signal);
    await this.budget.purge(signal);
    return purged;
  }
}
