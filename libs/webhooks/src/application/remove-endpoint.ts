import { type Caller, Clock, Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { DeliveryRepository } from './ports/delivery.repository';
import { EndpointRepository } from './ports/endpoint.repository';
import { RedeliveryRepository } from './ports/redelivery.repository';
import { InFlightBarrier } from './in-flight-barrier';

/** Deliveries dropped at once together with the endpoint. The worker's sweep drops the rest. */
const DROPPED_AT_ONCE = 5_000;

/** Removes an endpoint and drops its waiting deliveries (contract §15.1). */
@Injectable()
export class RemoveEndpoint {
  constructor(
    private readonly transactions: Transactions,
    private readonly endpoints: EndpointRepository,
    private readonly deliveries: DeliveryRepository,
    private readonly redeliveries: RedeliveryRepository,
    private readonly inFlight: InFlightBarrier,
    private readonly clock: Clock,
  ) {}

  /**
   * A delivery that is being sent is finished, but its result has no effect. Deliveries that a concurrent
   * fan-out creates are dropped by the sweep.
   *
   * @throws AppError `NOT_FOUND` if the company has no such endpoint
   */
  async execute({ companyId }: Caller, endpointId: string): Promise<void> {
    const now = this.clock.now();
    await this.transactions.run(async (tx) => {
      await this.endpoints.lock(tx, companyId, endpointId);
      await this.endpoints.change(tx, endpointId, { deletedAt: now });
      await this.redeliveries.end(tx, endpointId, now);
    });
    await this.inFlight.wait(endpointId);
    await this.deliveries.dropOfRemoved(now, DROPPED_AT_ONCE, endpointId);
  }
}
