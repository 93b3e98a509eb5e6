import { Config } from '@counterfoil/config';
import { Clock } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { IdempotencyKeys } from './ports/idempotency-keys';

const BATCH = 1_000;

/** Forgets the responses that were kept for as long as is promised (decisions §9). */
@Injectable()
export class PurgeIdempotencyKeys {
  constructor(
    private readonly keys: IdempotencyKeys,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  async execute(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - this.config.idempotencyKeyRetentionMs);
    while ((await this.keys.purge(before, BATCH)) === BATCH);
  }
}
