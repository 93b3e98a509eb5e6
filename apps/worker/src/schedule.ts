import { Config } from '@counterfoil/config';
import { PurgeIdempotencyKeys, SweepApprovals } from '@counterfoil/documents';
import { LoadPublishedRates, RevalueExpenses } from '@counterfoil/expenses';
import { SweepUploads } from '@counterfoil/files';
import { PurgeDeliveries, SweepDeliveries } from '@counterfoil/webhooks';
import { Injectable } from '@nestjs/common';

const HOUR_MS = 3_600_000;
const UPLOADS_PAUSE_MS = 600_000;

export interface Task {
  readonly name: string;
  /** @param signal says when to stop what would take long */
  readonly work: (signal: AbortSignal) => Promise<unknown>;
  /** From its end to its next start. */
  readonly pauseMs: number;
}

/** What the worker does at intervals. Each task may run in many workers at once. */
@Injectable()
export class Schedule {
  constructor(
    private readonly config: Config,
    private readonly sweepDeliveries: SweepDeliveries,
    private readonly purgeDeliveries: PurgeDeliveries,
    private readonly sweepApprovals: SweepApprovals,
    private readonly purgeIdempotencyKeys: PurgeIdempotencyKeys,
    private readonly sweepUploads: SweepUploads,
    private readonly revalueExpenses: RevalueExpenses,
    private readonly loadPublishedRates: LoadPublishedRates,
  ) {}

  tasks(): readonly Task[] {
    const soon = this.config.schedulerIntervalMs;
    return [
      { name: 'sweep deliveries', work: (signal) => this.sweepDeliveries.execute(signal), pauseMs: soon },
      { name: 'sweep approvals', work: () => this.sweepApprovals.execute(), pauseMs: soon },
      { name: 'revalue expenses', work: (signal) => this.revalueExpenses.execute(signal), pauseMs: soon },
      { name: 'load published rates', work: () => this.loadPublishedRates.execute(), pauseMs: HOUR_MS },
      { name: 'purge idempotency keys', work: () => this.purgeIdempotencyKeys.execute(), pauseMs: HOUR_MS },
      {
        name: 'sweep uploads',
        work: (signal) => this.sweepUploads.execute(signal),
        pauseMs: UPLOADS_PAUSE_MS,
      },
      { name: 'purge deliveries', work: (signal) => this.purgeDeliveries.execute(signal), pauseMs: HOUR_MS },
    ];
  }
}
