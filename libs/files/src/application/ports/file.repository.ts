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

export interface NewUpload {
  readonly companyId: number;
  readonly storageKey: string;
  readonly startedAt: Date;
}

/** A file that is being deleted. */
export interface DoomedFile {
  readonly companyId: number;
  readonly id: number;
  readonly storageKey: string;
}

/**
 * Writes files and uploads. Every key under which the store may have bytes has a row of one of the two. An upload is
 * either finished or abandoned; the lock of its row decides which comes first.
 */
export abstract class FileRepository {
  /** Records that bytes are going to be stored under the key. */
  abstract begin(tx: Transaction, upload: NewUpload): Promise<void>;

  /** Locks and returns the company's usage until the transaction ends, so that limited uploads finish one by one. */
  abstract lockUsage(tx: Transaction, companyId: number): Promise<StorageUsage>;

  /**
   * Turns the upload into a file.
   *
   * @returns the id of the file; null if the upload was abandoned, and then nothing is written
   */
  abstract finish(tx: Transaction, file: NewFile): Promise<number | null>;

  /**
   * Abandons the upload, so that it cannot be finished any more. Waits for a transaction that is finishing it, because
   * the answer to its commit may have been lost.
   *
   * @returns false if the upload has become a file; true otherwise, also for an unknown key
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

  /** Deletes the row of a locked file, and records its bytes as an upload that was abandoned at `now`. */
  abstract remove(tx: Transaction, file: DoomedFile, now: Date): Promise<void>;

  /**
   * Abandons uploads that began before `startedBefore`, oldest first.
   *
   * @returns the keys of at most `limit` abandoned uploads, including earlier ones that were not forgotten yet
   */
  abstract abandonOld(
    tx: Transaction,
    range: { readonly startedBefore: Date; readonly limit: number },
    now: Date,
  ): Promise<readonly string[]>;

  /**
   * Abandons the uploads of a company, and those that began before `startedBefore` of which the company is not known. Waits
   * for locks, so it leaves out none.
   *
   * @returns the keys of at most `limit` abandoned uploads, including earlier ones that were not forgotten yet
   */
  abstract abandonOfCompany(
    tx: Transaction,
    range: { readonly companyId: number; readonly startedBefore: Date; readonly limit: number },
    now: Date,
  ): Promise<readonly string[]>;

  /** Deletes the rows of abandoned uploads, after their bytes were removed. */
  abstract forget(tx: Transaction, storageKeys: readonly string[]): Promise<void>;
}
