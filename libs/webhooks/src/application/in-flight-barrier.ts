import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DeliveryRepository } from './ports/delivery.repository';

/** Any claimed delivery is sent well within this time, or asks again whether its endpoint is active. */
const LIMIT_MS = 500;
const PAUSE_MS = 20;

/**
 * Waits until no claimed delivery of an endpoint is in flight, for half a second at most. A worker that has
 * just claimed a delivery has sent it by then. After a removal or a pause, no request starts any more.
 */
@Injectable()
export class InFlightBarrier {
  constructor(private readonly deliveries: DeliveryRepository) {}

  async wait(endpointId: string): Promise<void> {
    const deadline = performance.now() + LIMIT_MS;
    while ((await this.deliveries.countClaimed(endpointId)) > 0) {
      if (performance.now() > deadline) return;
      await sleep(PAUSE_MS);
    }
  }
}
