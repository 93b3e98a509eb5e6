import { SweepApprovals } from '@counterfoil/documents';
import { ReadReceipts } from '@counterfoil/expenses';
import { SweepOrders } from '@counterfoil/payments';
import { ScheduleJobs } from '@counterfoil/scheduling';
import { SweepDeliveries } from '@counterfoil/webhooks';
import { Injectable } from '@nestjs/common';
import type { Task } from './task';

/** What finds due work in PostgreSQL, whatever the queue has lost of it. */
@Injectable()
export class Sweeps {
  constructor(
    private readonly sweepDeliveries: SweepDeliveries,
    private readonly sweepApprovals: SweepApprovals,
    private readonly sweepOrders: SweepOrders,
    private readonly scheduleJobs: ScheduleJobs,
    private readonly readReceipts: ReadReceipts,
  ) {}

  tasks(pauseMs: number): readonly Task[] {
    return [
      { name: 'sweep deliveries', work: (signal) => this.sweepDeliveries.execute(signal), pauseMs },
      { name: 'sweep approvals', work: () => this.sweepApprovals.execute(), pauseMs },
      { name: 'sweep orders', work: () => this.sweepOrders.execute(), pauseMs },
      { name: 'sweep schedules', work: () => this.scheduleJobs.sweep(), pauseMs },
      { name: 'read receipts', work: () => this.readReceipts.execute(), pauseMs },
    ];
  }
}
