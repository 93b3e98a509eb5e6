import { Clock, Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { FileRepository } from './ports/file.repository';
import { FileStore } from './ports/file-store';

/** Far longer than any upload takes: a request is cut off after a minute, and so is what waits for its turn. */
const AGE_MIN_MS = 3_600_000;
const BATCH = 100;

/** Removes what uploads have left behind whose process was killed. May run in many processes at once. */
@Injectable()
export class SweepUploads {
  constructor(
    private readonly transactions: Transactions,
    private readonly files: FileRepository,
    private readonly store: FileStore,
    private readonly clock: Clock,
  ) {}

  /**
   * @param signal says when to stop
   * @param ageMinMs how long ago an upload must have begun to count as left behind
   * @returns how many were removed
   */
  async execute(signal?: AbortSignal, ageMinMs = AGE_MIN_MS): Promise<number> {
    let removed = 0;
    for (;;) {
      const keys = await this.nextBatch(ageMinMs);
      for (const key of keys) await this.store.remove(key);
      // The row goes last: as long as there may be bytes, it is what finds them.
      if (keys.length > 0) await this.transactions.run((tx) => this.files.forget(tx, keys));
      removed += keys.length;
      if (keys.length < BATCH || signal?.aborted) return removed;
    }
  }

  private nextBatch(ageMinMs: number): Promise<readonly string[]> {
    const now = this.clock.now();
    const startedBefore = new Date(now.getTime() - ageMinMs);
    return this.transactions.run((tx) => this.files.abandonOld(tx, { startedBefore, limit: BATCH }, now));
  }
}
