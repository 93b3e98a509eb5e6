import { Clock } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { EndpointDispatcher } from './endpoint-dispatcher';
import { FanOutEvents } from './fan-out-events';
import { DeliveryRepository } from './ports/delivery.repository';

/** Sends at once what workers that have ended left behind: before their leases end, and before the next sweep. */
@Injectable()
export class TakeOverDeliveries {
  constructor(
    private readonly fanOutEvents: FanOutEvents,
    private readonly deliveries: DeliveryRepository,
    private readonly dispatcher: EndpointDispatcher,
    private readonly clock: Clock,
  ) {}

  async execute(workers: readonly number[]): Promise<void> {
    const now = this.clock.now();
    await this.deliveries.freeClaimsOf(workers, now);
    this.dispatcher.wake(await this.deliveries.overdue(now));
    await this.fanOutEvents.execute();
  }
}
