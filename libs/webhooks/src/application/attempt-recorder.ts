import { Log } from '@counterfoil/observability';
import { Injectable } from '@nestjs/common';
import { FailingEndpoints } from './failing-endpoints';
import { DeliveryWakeups } from './delivery-wakeups';
import { type AttemptRecord, DeliveryRepository } from './ports/delivery.repository';

const BATCH = 200;

interface Waiting {
  readonly record: AttemptRecord;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Records attempts as they end. Attempts that end while others are being recorded share the next statement.
 */
@Injectable()
export class AttemptRecorder {
  private readonly waiting: Waiting[] = [];
  private writing = false;

  constructor(
    private readonly deliveries: DeliveryRepository,
    private readonly wakeups: DeliveryWakeups,
    private readonly failing: FailingEndpoints,
    private readonly log: Log,
  ) {}

  /** Resolves when the attempt is recorded. */
  record(record: AttemptRecord): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ record, resolve, reject });
      if (!this.writing) void this.write();
    });
  }

  private async write(): Promise<void> {
    this.writing = true;
    while (this.waiting.length > 0) await this.settle(this.waiting.splice(0, BATCH));
    this.writing = false;
  }

  private async settle(batch: readonly Waiting[]): Promise<void> {
    try {
      await this.writeBatch(batch.map(({ record }) => record));
      for (const { resolve } of batch) resolve();
    } catch (error) {
      // One attempt may have made the whole batch fail, so each is recorded separately.
      if (batch.length > 1) for (const one of batch) await this.settle([one]);
      else for (const { reject } of batch) reject(error);
    }
  }

  private async writeBatch(records: readonly AttemptRecord[]): Promise<void> {
    const recorded = await this.deliveries.record(records);
    for (const { claim } of records) {
      if (recorded.has(claim.id)) continue;
      const fields = { deliveryId: claim.id, eventId: claim.eventId };
      this.log.warn(fields, 'a late attempt was not recorded: another worker has the claim');
    }
    await this.failing.note(records.filter(({ claim }) => recorded.has(claim.id)));
    const retries = records.flatMap(({ claim }) => {
      const dueAt = recorded.get(claim.id);
      return dueAt ? [{ claim, dueAt }] : [];
    });
    // Not awaited, because a queue that hangs must not delay the recording. It logs its own failures.
    if (retries.length > 0) void this.wakeups.wakeForRetries(retries);
  }
}
