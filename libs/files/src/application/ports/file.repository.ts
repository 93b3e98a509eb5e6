import type { Transaction } from '@counterfoil/kernel';
import type { FileEntry } from '../../domain/file';
import type { StorageUsage } from '../../domain/storage-quota';

export interface NewFile extends Omit<FileEntry, 'id'> {
  readonly companyId: number;
  /** The user that uploaded it. */
  readonly userId: number;
  readonly storageKey: string;
  readonly createdAt: Date;
}

/** A file that is being deleted. */
export interface DoomedFile {
  readonly companyId: number;
  readonly id: number;
  readonly storageKey: string;
}

/**
 * Writes files, and the uploads that precede them: every key under which the store may have bytes belongs to one of
 * the two. An upload ends in one of two ways, and the lock of its row decides which.
 */
export abstract class FileRepository {
  /** Notes that something is going to be stored under the key. */
  abstract begin(tx: Transaction, storageKey: string, startedAt: Date): Promise<void>;

  /** The bytes and files that the company stores, locked until the transaction ends: limited uploads finish one by one. */
  abstract lockUsage(tx: Transaction, companyId: number): Promise<StorageUsage>;

  /**
   * Makes the upload a file.
   *
   * @returns the file's id; null when the upload was abandoned, and nothing was written
   */
  abstract finish(tx: Transaction, file: NewFile): Promise<number | null>;

  /**
   * From now on the upload cannot be finished. Waits for a transaction that is just finishing it, whose outcome its
   * caller may not have learnt.
   *
   * @returns false when it has become a file; true otherwise, also when nothing is known of it
   */
  abstract abandon(tx: Transaction, storageKey: string, now: Date): Promise<boolean>;

  /**
   * Locks a file until the transaction ends. Waits for transactions that are writing a reference to it; later ones
   * wait for this one.
   *
   * @returns its storage key; null if this company has no such file
   */
  abstract lock(tx: Transaction, companyId: number, id: number): Promise<string | null>;

  /** Describes each reference to a locked file in words (`the receipt of expense 7`). Empty if there is none. */
  abstract usesOf(tx: Transaction, companyId: number, id: number): Promise<readonly string[]>;

  /** Deletes the row of a locked file and notes its bytes as those of an upload that was abandoned at `now`. */
  abstract remove(tx: Transaction, file: DoomedFile, now: Date): Promise<void>;

  /**
   * Abandons uploads that began before `startedBefore`, oldest first.
   *
   * @returns the keys of at most `limit` abandoned uploads, those included that were abandoned before and are still noted
   */
  abstract abandonOld(
    tx: Transaction,
    range: { readonly startedBefore: Date; readonly limit: number },
    now: Date,
  ): Promise<readonly string[]>;

  /** Forgets abandoned uploads, whose bytes are gone. */
  abstract forget(tx: Transaction, storageKeys: readonly string[]): Promise<void>;
}
