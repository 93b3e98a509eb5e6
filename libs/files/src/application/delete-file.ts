import { FaultPoints } from '@counterfoil/config';
import { AppError, type Caller, Clock, Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { ClearBytes } from './clear-bytes';
import { FileRepository } from './ports/file.repository';

const WAY_OUT = 'delete what uses it or give that another file first';

/** Deletes a file that nothing refers to. */
@Injectable()
export class DeleteFile {
  constructor(
    private readonly transactions: Transactions,
    private readonly files: FileRepository,
    private readonly clearBytes: ClearBytes,
    private readonly clock: Clock,
    private readonly faults: FaultPoints,
  ) {}

  /**
   * Deletes the file: afterwards neither a key nor a link opens it, and it no longer counts towards the quota. Its
   * bytes are deleted before this resolves, so that a caller who uploads and deletes in a loop uses a bounded part of
   * the store. Readers that have opened the file can read it to its end. If the process is killed,
   * `RemoveAbandonedUploads` removes the bytes.
   *
   * @throws AppError `NOT_FOUND`; `INVALID_STATE` if something refers to the file, which the message names
   */
  async execute({ companyId }: Caller, id: number): Promise<void> {
    const storageKey = await this.transactions.run(async (tx) => {
      // The lock waits for references that are being written. New ones wait for the commit.
      const storageKey = await this.files.lock(tx, companyId, id);
      if (storageKey === null) throw new AppError('NOT_FOUND', 'no such file');
      const uses = await this.files.usesOf(tx, companyId, id);
      if (uses.length > 0) throw inUse(uses);
      await this.files.remove(tx, { companyId, id, storageKey }, this.clock.now());
      this.faults.reach('file.removed');
      return storageKey;
    });
    this.faults.reach('file.removal-committed');
    await this.clearBytes.execute(companyId, storageKey);
  }
}

function inUse(uses: readonly string[]): AppError {
  return new AppError('INVALID_STATE', `the file is in use: it is ${uses.join(', ')}; ${WAY_OUT}`);
}
