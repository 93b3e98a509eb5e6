import { randomBytes } from 'node:crypto';
import { Idempotency, type IdempotentCall } from '@counterfoil/idempotency';
import {
  type Caller,
  Clock,
  inTime,
  KeyedSemaphore,
  Transactions,
  UnavailableError,
} from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import type { StoredFile } from '../domain/file';
import { cleanFileName } from '../domain/file-name';
import { assertRoomFor, isLimited } from '../domain/storage-quota';
import { ClearBytes } from './clear-bytes';
import { ContentCheck } from './content-check';
import { gatherPieces } from './gather-pieces';
import { FileRepository, type NewFile } from './ports/file.repository';
import { FileStore } from './ports/file-store';
import type { StorageRoom } from './storage-quota';
import { UploadSlots } from './upload-slots';

/** The time limit for abandoning a failed upload, because its sender waits and the database may be unavailable. */
const ABANDON_MAX_MS = 1_000;
const KEY_BYTES = 16;
/**
 * Uploads of one process whose type is detected at the same time, which uses the processor. Receiving the bytes needs
 * no slot, so a slow sender delays nobody.
 */
const AT_ONCE_MAX = 4;
/** The same for one company. */
const AT_ONCE_OF_COMPANY_MAX = 3;
const TURN_WAIT_MAX_MS = 60_000;
const UPLOAD_TOO_SLOW =
  'the upload took too long and was discarded; send it again, over a faster connection if possible';
const RETRY_AFTER_SECONDS = 1;

/** The parts of an upload that its fingerprint covers. */
export type UploadedContent = Pick<StoredFile, 'fileName' | 'sha256'>;

export interface SentFile {
  /** The name as it was sent; undefined without one. */
  readonly fileName: string | undefined;
  /** Throws if the upload breaks off or its form is not valid. */
  readonly content: AsyncIterable<Buffer>;
  /** Returns the call if it has an idempotency key. Its fingerprint is known only when all bytes are there. */
  readonly callOf?: (file: UploadedContent) => IdempotentCall<StoredFile> | null;
  /** Whether the key was used before. A repeated call stores nothing, so the quota does not apply. */
  readonly isKeyUsed?: boolean;
}

@Injectable()
export class UploadFile {
  private readonly slots = new UploadSlots();
  private readonly turns = new KeyedSemaphore<number>({
    openMax: AT_ONCE_OF_COMPANY_MAX,
    openInAllMax: AT_ONCE_MAX,
    waitMaxMs: TURN_WAIT_MAX_MS,
    message: 'too many uploads are in progress; try again',
  });
  /** The bytes that the current uploads of this process have received so far, by company. */
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
   * Stores an upload and detects its type from the bytes (contract §13.1). The result is either a file or an error;
   * after an error, stored bytes are removed in the background.
   *
   * @param room the current answer of `StorageQuota`
   * @throws IdempotencyKeyTaken
   * @throws AppError `PAYLOAD_TOO_LARGE` as soon as 25 MiB are exceeded; `LIMIT_REACHED` as soon as the company's quota
   *   is; `VALIDATION_FAILED` (`file`) for an empty file; `UNAVAILABLE` if too many uploads are in progress; and the
   *   errors of the content
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
    await this.transactions.run((tx) =>
      this.files.begin(tx, { companyId, storageKey, startedAt: this.clock.now() }),
    );
    const check = new ContentCheck();
    const bounded = isKeyUsed ? content : this.within(companyId, room, content);
    const incoming = new Incoming(check.pass(gatherPieces(bounded)));
    let isStored = false;
    try {
      await this.store.put(companyId, storageKey, incoming.pieces());
      isStored = true;
      // The slot covers only the detection of the type. It is free again before the transaction begins.
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
      // If the store itself failed, it may write the bytes even after a removal, so the sweep removes them later.
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
      // Other uploads of the company may have been stored since this one began.
      if (isLimited(limits)) assertRoomFor(size, await this.files.lockUsage(tx, companyId), limits);
      const id = await this.files.finish(tx, file);
      if (id === null)
        throw new UnavailableError('slow', UPLOAD_TOO_SLOW, { retryAfterSeconds: RETRY_AFTER_SECONDS });
      return { id, fileName, mimeType, size, sha256, createdAt };
    });
  }

  /**
   * @returns whether the bytes may be removed. They may not if the upload was committed and only the answer was lost
   */
  private async abandon(storageKey: string): Promise<boolean> {
    try {
      const abandoned = this.transactions.run((tx) => this.files.abandon(tx, storageKey, this.clock.now()));
      return await inTime(abandoned, ABANDON_MAX_MS);
    } catch {
      // Not thrown: the caller gets the error of the upload. `RemoveAbandonedUploads` removes the bytes later.
      return false;
    }
  }

  /**
   * Yields the same content, and counts it towards the quota together with the company's other uploads of this process.
   *
   * @throws AppError `LIMIT_REACHED` as soon as the quota is exceeded
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

/** Records whether the content failed, as opposed to the store that reads it. */
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
