import { Config } from '@counterfoil/config';
import { Clock } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { StoredResponses } from './stored-responses';

/** Deletes responses that were stored for longer than `IDEMPOTENCY_KEY_RETENTION` (decisions §9). */
@Injectable()
export class PurgeIdempotencyKeys {
  constructor(
    private readonly responses: StoredResponses,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** @param signal ends it after the batch that runs */
  async execute(signal: AbortSignal): Promise<void> {
    const before = new Date(this.clock.now().getTime() - this.config.idempotencyKeyRetentionMs);
    await this.responses.purge(before, signal);
  }
}
