import { Clock, Transactions } from '@counterfoil/kernel';
import { Outbox } from '@counterfoil/outbox';
import { Injectable } from '@nestjs/common';
import { DeliveryJobs } from './delivery-jobs';
import { type DueDelivery, DeliveryRepository } from './ports/delivery.repository';

const BATCH = 200;

/** Makes one delivery for each endpoint that wants an event. */
@Injectable()
export class FanOutEvents {
  constructor(
    private readonly transactions: Transactions,
    private readonly outbox: Outbox,
    private readonly deliveries: DeliveryRepository,
    private readonly jobs: DeliveryJobs,
    private readonly clock: Clock,
  ) {}

  /** Relays every event that is waiting, batch by batch. An event and its deliveries change in one transaction. */
  async execute(): Promise<void> {
    for (;;) {
      const { taken, due } = await this.relayBatch();
      await this.jobs.add(due);
      if (taken < BATCH) return;
    }
  }

  private relayBatch(): Promise<{ taken: number; due: DueDelivery[] }> {
    return this.transactions.run(async (tx) => {
      const events = await this.outbox.takeUnrelayed(tx, BATCH);
      const due = events.length > 0 ? await this.deliveries.fanOut(tx, events, this.clock.now()) : [];
      return { taken: events.length, due };
    });
  }
}
