import { Config } from '@counterfoil/config';
import { SweepApprovals } from '@counterfoil/documents';
import { LoadPublishedRates, ReadReceipts, RevalueExpenses } from '@counterfoil/expenses';
import { SweepDeliveries } from '@counterfoil/webhooks';
import { Injectable } from '@nestjs/common';
import { Housekeeping } from './housekeeping';
import type { Task } from './task';

const HOUR_MS = 3_600_000;

/** What the worker does at intervals. Each task may run in many workers at once. */
@Injectable()
export class Schedule {
  constructor(
    private readonly config: Config,
    private readonly sweepDeliveries: SweepDeliveries,
    private readonly sweepApprovals: SweepApprovals,
    private readonly revalueExpenses: RevalueExpenses,
    private readonly loadPublishedRates: LoadPublishedRates,
    private readonly readReceipts: ReadReceipts,
    private readonly housekeeping: Housekeeping,
  ) {}

  tasks(): readonly Task[] {
    const soon = this.config.schedulerIntervalMs;
    return [
      { name: 'sweep deliveries', work: (signal) => this.sweepDeliveries.execute(signal), pauseMs: soon },
      { name: 'sweep approvals', work: () => this.sweepApprovals.execute(), pauseMs: soon },
      { name: 'revalue expenses', work: (signal) => this.revalueExpenses.execute(signal), pauseMs: soon },
      { name: 'read receipts', work: () => this.readReceipts.execute(), pauseMs: soon },
      { name: 'load published rates', work: () => this.loadPublishedRates.execute(), pauseMs: HOUR_MS },
      ...this.housekeeping.tasks(),
    ];
  }
}
