import { FaultPoints } from '@counterfoil/config';
import { Clock, type Transaction, Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { FileRepository } from './ports/file.repository';
import { FileStore } from './ports/file-store';

/** Longer than any upload takes, because a request ends after 30 minutes at most. */
const AGE_MIN_MS = 3_600_000;
const BATCH = 100;
/** Each may take until a time limit. */
const FAULTS_MAX = 3;

/** Returns the keys of the next batch. */
type Abandon = (tx: Transaction, now: Date) => Promise<readonly string[]>;

/**
 * Removes the bytes of deleted files and of uploads whose process was killed. May run in several processes at the same
 * time.
 */
@Injectable()
export class RemoveAbandonedUploads {
  constructor(
    private readonly transactions: Transactions,
    private readonly files: FileRepository,
    private readonly store: FileStore,
    private readonly clock: Clock,
    private readonly faults: FaultPoints,
  ) {}

  /**
   * @param signal stops the removal
   * @param ageMinMs the minimum age of an upload, or of a deletion
   * @returns the number of removed objects
   * @throws the first error of the storage, after it has removed what it could
   */
  execute(signal?: AbortSignal, ageMinMs = AGE_MIN_MS): Promise<number> {
    return this.removeAll((tx, now) => this.files.abandonOld(tx, rangeOf(now, ageMinMs), now), signal);
  }

  /**
   * Removes those of one company, whatever their age, so it must have been suspended for longer than an upload takes. Other
   * companies do not matter, except for old uploads of which the company is not known: they may belong to this one.
   *
   * @returns the number of removed objects; unless the signal has aborted, none is left
   * @throws the first error of the storage, after it has removed what it could
   */
  ofCompany(companyId: number, signal?: AbortSignal): Promise<number> {
    return this.removeAll(
      (tx, now) => this.files.abandonOfCompany(tx, { companyId, ...rangeOf(now, AGE_MIN_MS) }, now),
      signal,
    );
  }

  private async removeAll(abandon: Abandon, signal: AbortSignal | undefined): Promise<number> {
    let removed = 0;
    const faults = new Map<string, unknown>();
    for (;;) {
      const batch = await this.transactions.run((tx) => abandon(tx, this.clock.now()));
      const keys = await this.removeEach(batch, faults, signal);
      if (keys.length > 0) this.faults.reach('file.bytes-removed');
      // The rows are deleted last, because only they lead to the bytes.
      if (keys.length > 0) await this.transactions.run((tx) => this.files.forget(tx, keys));
      removed += keys.length;
      if (batch.length === BATCH && keys.length > 0 && !signal?.aborted) continue;
      for (const fault of faults.values()) throw fault;
      return removed;
    }
  }

  /** Goes on after an object that cannot be removed, unless the storage seems to refuse all. */
  private async removeEach(
    batch: readonly string[],
    faults: Map<string, unknown>,
    signal: AbortSignal | undefined,
  ): Promise<readonly string[]> {
    const removed: string[] = [];
    for (const key of batch.filter((one) => !faults.has(one))) {
      try {
        // Each removal may take long.
        if (!(await endsBefore(this.store.remove(key), signal))) break;
        removed.push(key);
      } catch (fault) {
        faults.set(key, fault);
        if (faults.size === FAULTS_MAX) break;
      }
    }
    return removed;
  }
}

function rangeOf(now: Date, ageMinMs: number) {
  return { startedBefore: new Date(now.getTime() - ageMinMs), limit: BATCH };
}

/** Whether the work ends before the signal. Otherwise it continues on its own. */
function endsBefore(work: Promise<void>, signal: AbortSignal | undefined): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const giveUp = () => resolve(false);
    if (signal?.aborted) giveUp();
    signal?.addEventListener('abort', giveUp, { once: true });
    const forget = () => signal?.removeEventListener('abort', giveUp);
    work.then(() => resolve(true), reject).finally(forget);
  });
}
