import { Clock } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { EndpointDispatcher } from './endpoint-dispatcher';
import { FanOutEvents } from './fan-out-events';
import { DeliveryRepository } from './ports/delivery.repository';

/**
 * Takes over the deliveries of workers that have ended, without waiting for their leases or for the next
 * sweep.
 */
@Injectable()
export class TakeOverDeliveries {
  constructor(
    private readonly fanOutEvents: FanOutEvents,
    private readonly deliveries: DeliveryRepository,
    private readonly dispatcher: EndpointDispatcher,
    private readonly clock: Clock,
  ) {}

  /** Returns the workers that have claimed deliveries, whether they still run or not. */
  findOwners(): Promise<number[]> {
    return this.deliveries.findOwners(this.clock.now());
  }

  async execute(workers: readonly number[]): Promise<void> {
    const now = this.clock.now();
    await this.deliveries.freeClaimsOf(workers, now);
    this.dispatcher.wake(await this.deliveries.overdue(now));
    await this.fanOutEvents.execute();
  }
}
