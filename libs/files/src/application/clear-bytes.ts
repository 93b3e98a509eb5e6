import { KeyedSemaphore, Transactions } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { Injectable } from '@nestjs/common';
import { FileRepository } from './ports/file.repository';
import { FileStore } from './ports/file-store';

const AT_ONCE = 4;
const AT_ONCE_OF_COMPANY = 3;
/** Short, because a caller may be waiting. */
const WAIT_MAX_MS = 2_000;

/** Removes bytes that belong to no file: those of a deleted file, and those of a failed upload. */
@Injectable()
export class ClearBytes {
  private readonly turns = new KeyedSemaphore<number>({
    openMax: AT_ONCE_OF_COMPANY,
    openInAllMax: AT_ONCE,
    waitMaxMs: WAIT_MAX_MS,
    message: 'too many files are being removed',
  });

  constructor(
    private readonly transactions: Transactions,
    private readonly files: FileRepository,
    private readonly store: FileStore,
    private readonly log: Log,
  ) {}

  /** Never fails: `RemoveAbandonedUploads` tries again an hour later. */
  async execute(companyId: number, storageKey: string): Promise<void> {
    try {
      await this.turns.run(companyId, () => this.store.remove(storageKey));
      await this.transactions.run((tx) => this.files.forget(tx, [storageKey]));
    } catch (error) {
      this.log.warn({ storageKey, error }, 'bytes that belong to no file are left to the sweep');
    }
  }
}
