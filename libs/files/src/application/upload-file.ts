import { randomBytes } from 'node:crypto';
import { AppError, type Caller, Clock, Gates, Transactions } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { Injectable } from '@nestjs/common';
import type { StoredFile } from '../domain/file';
import { cleanFileName } from '../domain/file-name';
import { ContentCheck } from './content-check';
import { FileRepository, type NewFile } from './ports/file.repository';
import { FileStore } from './ports/file-store';
import { UploadPlaces } from './upload-places';

const KEY_BYTES = 16;
/**
 * Uploads that are with the database or have their type told at once. Bytes are received without a turn: a slow sender
 * holds nobody up.
 */
const AT_ONCE_MAX = 4;
const TURN_WAIT_MAX_MS = 60_000;
/** Uploads whose bytes are being removed; what waits longer for its turn is left to the sweep. */
const CLEARED_AT_ONCE = 4;
const CLEAR_WAIT_MAX_MS = 10_000;

export interface SentFile {
  /** As it was sent; undefined where none was. */
  readonly fileName: string | undefined;
  /** Throws where the sender did not come to a proper end. */
  readonly content: AsyncIterable<Buffer>;
}

@Injectable()
export class UploadFile {
  private readonly places = new UploadPlaces();
  private readonly turns = new Gates<'upload'>({
    openMax: AT_ONCE_MAX,
    waitMaxMs: TURN_WAIT_MAX_MS,
    message: 'too many uploads are under way; try again',
  });
  private readonly clearing = new Gates<'clear'>({
    openMax: CLEARED_AT_ONCE,
    waitMaxMs: CLEAR_WAIT_MAX_MS,
    message: 'too many uploads are being cleared',
  });

  constructor(
    private readonly transactions: Transactions,
    private readonly files: FileRepository,
    private readonly store: FileStore,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /**
   * Stores what is sent and tells its type from the bytes (decisions §4). Either there is a file afterwards, or nothing:
   * then its bytes go after the sender was answered.
   *
   * @throws AppError `PAYLOAD_TOO_LARGE` over 25 MiB, while more may still be coming; `VALIDATION_FAILED` (`file`) of no
   *   bytes at all; `UNAVAILABLE` when too many uploads are under way; and whatever the content throws
   */
  execute(caller: Caller, sent: SentFile): Promise<StoredFile> {
    return this.places.hold(caller.companyId, () => this.upload(caller, sent));
  }

  private async upload({ companyId, userId }: Caller, { fileName, content }: SentFile): Promise<StoredFile> {
    const storageKey = randomBytes(KEY_BYTES).toString('hex');
    await this.inTurn(() =>
      this.transactions.run((tx) => this.files.begin(tx, storageKey, this.clock.now())),
    );
    const check = new ContentCheck();
    const incoming = new Incoming(check.pass(content));
    let isStored = false;
    try {
      await this.store.put(storageKey, incoming.pieces());
      isStored = true;
      return await this.inTurn(async () => {
        const found = await check.end();
        const createdAt = this.clock.now();
        const file = {
          ...found,
          fileName: cleanFileName(fileName),
          companyId,
          userId,
          storageKey,
          createdAt,
        };
        return this.finish(file);
      });
    } catch (error) {
      const mayGo = await this.abandon(storageKey);
      // A store that failed may yet keep what it was sent, after it was told to remove it: that is left to the sweep.
      if (mayGo && (isStored || incoming.hasFailed)) void this.clear(storageKey);
      throw error;
    }
  }

  private async finish(file: NewFile): Promise<StoredFile> {
    const { fileName, mimeType, size, sha256, createdAt } = file;
    const id = await this.transactions.run((tx) => this.files.finish(tx, file));
    if (id === null) throw new AppError('UNAVAILABLE', 'the upload took too long; send it again');
    return { id, fileName, mimeType, size, sha256, createdAt };
  }

  /** @returns whether its bytes may go. The answer to a commit may have been lost: what is a file keeps them */
  private async abandon(storageKey: string): Promise<boolean> {
    try {
      return await this.inTurn(() =>
        this.transactions.run((tx) => this.files.abandon(tx, storageKey, this.clock.now())),
      );
    } catch {
      // What made the upload fail is what its sender is told. `SweepUploads` abandons it later.
      return false;
    }
  }

  /** Nobody waits for it, neither the sender nor the end of the process. What stays, `SweepUploads` removes later. */
  private async clear(storageKey: string): Promise<void> {
    try {
      await this.clearing.run('clear', () => this.store.remove(storageKey));
      await this.inTurn(() => this.transactions.run((tx) => this.files.forget(tx, [storageKey])));
    } catch (error) {
      this.log.warn({ storageKey, error }, 'what a failed upload has left is left to the sweep');
    }
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.turns.run('upload', work);
  }
}

/** Content that remembers whether it was itself that failed, or who took it. */
class Incoming {
  hasFailed = false;

  constructor(private readonly content: AsyncIterable<Buffer>) {}

  async *pieces(): AsyncGenerator<Buffer, void, undefined> {
    try {
      yield* this.content;
    } catch (error) {
      this.hasFailed = true;
      throw error;
    }
  }
}
