import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DeliveryRepository } from './ports/delivery.repository';

/** Every claimed delivery has begun to be sent long before this. */
const LIMIT_MS = 500;
const PAUSE_MS = 20;

/**
 * Waits until nothing is being sent to an endpoint, for half a second at most: a worker that has just claimed a
 * delivery has then sent it. After a removal or a pause no request begins any more.
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
