import { randomBytes } from 'node:crypto';
import { Idempotency, type IdempotentCall } from '@counterfoil/idempotency';
import { AppError, type Caller, Clock, inTime, KeyedSemaphore, Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import type { StoredFile } from '../domain/file';
import { cleanFileName } from '../domain/file-name';
import { assertRoomFor, isLimited } from '../domain/storage-quota';
import { ClearBytes } from './clear-bytes';
import { ContentCheck } from './content-check';
import { FileRepository, type NewFile } from './ports/file.repository';
import { FileStore } from './ports/file-store';
import type { StorageRoom } from './storage-quota';
import { UploadSlots } from './upload-slots';

/** A database that has just failed to answer keeps the sender waiting no longer than this. */
const ABANDON_MAX_MS = 1_000;
const KEY_BYTES = 16;
/**
 * Uploads that have their type told at once, which takes the processor. Bytes are received without a turn: a slow sender
 * holds nobody up.
 */
const AT_ONCE_MAX = 4;
/** Of those, a company's. */
const AT_ONCE_OF_COMPANY_MAX = 3;
const TURN_WAIT_MAX_MS = 60_000;

/** Tells an upload from others. */
export type UploadedContent = Pick<StoredFile, 'fileName' | 'sha256'>;

export interface SentFile {
  /** The name as it was sent; undefined without one. */
  readonly fileName: string | undefined;
  /** Throws where the sender did not come to a proper end. */
  readonly content: AsyncIterable<Buffer>;
  /** The call, where it came with an idempotency key: which file it is of is known once all bytes are there. */
  readonly callOf?: (file: UploadedContent) => IdempotentCall<StoredFile> | null;
  /** The key was used before. A repeated call stores nothing, and needs no room. */
  readonly isKeyUsed?: boolean;
}

@Injectable()
export class UploadFile {
  private readonly slots = new UploadSlots();
  private readonly turns = new KeyedSemaphore<number>({
    openMax: AT_ONCE_OF_COMPANY_MAX,
    openInAllMax: AT_ONCE_MAX,
    waitMaxMs: TURN_WAIT_MAX_MS,
    message: 'too many uploads are under way; try again',
  });
  /** The bytes by company that uploads of this process have sent so far. */
  private readonly underWay = new Map<number, number>();

  constructor(
    private readonly transactions: Transactions,
    private readonly idempotency: Idempotency,
    private readonly files: FileRepository,
    private readonly store: FileStore,
    private readonly clearBytes: ClearBytes,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores an upload and detects its type from the bytes (contract §13.1). Afterwards there is either a file or
   * nothing; then its bytes are removed after the answer.
   *
   * @param room the current answer of `StorageQuota`
   * @throws IdempotencyKeyTaken
   * @throws AppError `PAYLOAD_TOO_LARGE` over 25 MiB, while more may still arrive; `LIMIT_REACHED` as soon as the
   *   company may not store as much; `VALIDATION_FAILED` (`file`) for no bytes at all; `UNAVAILABLE` if too many
   *   uploads are under way; and the errors of the content
   */
  execute(caller: Caller, sent: SentFile, room: StorageRoom): Promise<StoredFile> {
    return this.slots.hold(caller.companyId, () => this.upload(caller, sent, room));
  }

  private async upload(
    { companyId, userId }: Caller,
    { fileName, content, callOf, isKeyUsed = false }: SentFile,
    room: StorageRoom,
  ): Promise<StoredFile> {
    const storageKey = randomBytes(KEY_BYTES).toString('hex');
    await this.transactions.run((tx) => this.files.begin(tx, storageKey, this.clock.now()));
    const check = new ContentCheck();
    const bounded = isKeyUsed ? content : this.within(companyId, room, content);
    const incoming = new Incoming(check.pass(bounded));
    let isStored = false;
    try {
      await this.store.put(companyId, storageKey, incoming.pieces());
      isStored = true;
      // Telling the type takes the processor. The database is dealt by itself, and nobody waits for it with a turn here.
      const found = await this.turns.run(companyId, () => check.end());
      const createdAt = this.clock.now();
      const file = { ...found, fileName: cleanFileName(fileName), companyId, userId, storageKey, createdAt };
      return await this.finish(
        file,
        room,
        callOf?.({ fileName: file.fileName, sha256: file.sha256 }) ?? null,
      );
    } catch (error) {
      const mayGo = await this.abandon(storageKey);
      // A store that failed may still keep the bytes after it was told to remove them: the sweep handles those.
      if (mayGo && (isStored || incoming.hasFailed)) void this.clearBytes.execute(companyId, storageKey);
      throw error;
    }
  }

  private finish(
    file: NewFile,
    { limits }: StorageRoom,
    call: IdempotentCall<StoredFile> | null,
  ): Promise<StoredFile> {
    const { companyId, fileName, mimeType, size, sha256, createdAt } = file;
    return this.idempotency.run(companyId, call, async (tx) => {
      // Other uploads of the company may have ended since this one began.
      if (isLimited(limits)) assertRoomFor(size, await this.files.lockUsage(tx, companyId), limits);
      const id = await this.files.finish(tx, file);
      if (id === null) throw new AppError('UNAVAILABLE', 'the upload took too long; send it again');
      return { id, fileName, mimeType, size, sha256, createdAt };
    });
  }

  /**
   * @returns whether its bytes may be removed. The answer to a commit may have been lost: a committed file keeps them
   */
  private async abandon(storageKey: string): Promise<boolean> {
    try {
      const abandoned = this.transactions.run((tx) => this.files.abandon(tx, storageKey, this.clock.now()));
      return await inTime(abandoned, ABANDON_MAX_MS);
    } catch {
      // The caller gets the reason of the failed upload. `RemoveAbandonedUploads` removes it later.
      return false;
    }
  }

  /**
   * The same content, as long as the company has room for it beside its other uploads of this process.
   *
   * @throws AppError `LIMIT_REACHED` as soon as it has none
   */
  private async *within(
    companyId: number,
    { limits, usage }: StorageRoom,
    content: AsyncIterable<Buffer>,
  ): AsyncGenerator<Buffer, void, undefined> {
    let sent = 0;
    const count = (bytes: number): number => {
      sent += bytes;
      const all = (this.underWay.get(companyId) ?? 0) + bytes;
      if (all > 0) this.underWay.set(companyId, all);
      else this.underWay.delete(companyId);
      return all;
    };
    try {
      for await (const piece of content) {
        const all = count(piece.length);
        assertRoomFor(sent, { ...usage, bytes: usage.bytes + all - sent }, limits);
        yield piece;
      }
    } finally {
      count(-sent);
    }
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
