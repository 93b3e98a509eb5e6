import { Clock } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { DeliveryJobs } from './delivery-jobs';
import { FanOutEvents } from './fan-out-events';
import { DeliveryRepository } from './ports/delivery.repository';

/** A delivery this late was lost by the queue, or its worker died; one less late is probably about to run. */
const GRACE_MS = 2_000;
const BATCH = 5_000;

/** Puts back what the queue lost. The truth is in PostgreSQL: whatever is due there is found, whatever happened to the queue. */
@Injectable()
export class SweepDeliveries {
  constructor(
    private readonly fanOutEvents: FanOutEvents,
    private readonly deliveries: DeliveryRepository,
    private readonly jobs: DeliveryJobs,
    private readonly clock: Clock,
  ) {}

  async execute(): Promise<void> {
    await this.fanOutEvents.execute();
    const now = this.clock.now();
    await this.jobs.add(await this.deliveries.overdue(new Date(now.getTime() - GRACE_MS), now, BATCH));
  }
}
