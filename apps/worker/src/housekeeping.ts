import { PurgeIdempotencyKeys } from '@counterfoil/documents';
import { ReadReceipts } from '@counterfoil/expenses';
import { SweepUploads } from '@counterfoil/files';
import { PurgeDeliveries } from '@counterfoil/webhooks';
import { Injectable } from '@nestjs/common';
import type { Task } from './task';

const HOUR_MS = 3_600_000;
const TEN_MINUTES_MS = 600_000;

/** What is removed at intervals: what nobody needs any more, and what killed processes have left. */
@Injectable()
export class Housekeeping {
  constructor(
    private readonly purgeDeliveries: PurgeDeliveries,
    private readonly purgeIdempotencyKeys: PurgeIdempotencyKeys,
    private readonly sweepUploads: SweepUploads,
    private readonly readReceipts: ReadReceipts,
  ) {}

  tasks(): readonly Task[] {
    return [
      { name: 'purge deliveries', work: (signal) => this.purgeDeliveries.execute(signal), pauseMs: HOUR_MS },
      { name: 'purge idempotency keys', work: () => this.purgeIdempotencyKeys.execute(), pauseMs: HOUR_MS },
      { name: 'sweep uploads', work: (signal) => this.sweepUploads.execute(signal), pauseMs: TEN_MINUTES_MS },
      { name: 'purge readings', work: () => this.readReceipts.purge(), pauseMs: TEN_MINUTES_MS },
    ];
  }
}
