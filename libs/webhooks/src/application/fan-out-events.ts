import { Clock, Transactions } from '@counterfoil/kernel';
import { Outbox } from '@counterfoil/outbox';
import { Injectable } from '@nestjs/common';
import type { EndpointRef } from '../domain/endpoint';
import { EndpointDispatcher } from './endpoint-dispatcher';
import { DeliveryRepository } from './ports/delivery.repository';

const BATCH = 200;

/** Makes one delivery for each endpoint that wants an event, and has them sent. */
@Injectable()
export class FanOutEvents {
  constructor(
    private readonly transactions: Transactions,
    private readonly outbox: Outbox,
    private readonly deliveries: DeliveryRepository,
    private readonly dispatcher: EndpointDispatcher,
    private readonly clock: Clock,
  ) {}

  /**
   * Relays every event that is waiting, batch by batch. An event and its deliveries change in one transaction.
   *
   * @param signal ends it after the batch that runs
   * @returns how many events there were
   */
  async execute(signal?: AbortSignal): Promise<number> {
    for (let relayed = 0; ;) {
      const { taken, endpoints } = await this.relayBatch();
      this.dispatcher.wake(endpoints);
      relayed += taken;
      if (taken < BATCH || signal?.aborted) return relayed;
    }
  }

  private relayBatch(): Promise<{ taken: number; endpoints: EndpointRef[] }> {
    return this.transactions.run(async (tx) => {
      const events = await this.outbox.takeUnrelayed(tx, BATCH);
      const endpoints = events.length > 0 ? await this.deliveries.fanOut(tx, events, this.clock.now()) : [];
      return { taken: events.length, endpoints };
    });
  }
}
