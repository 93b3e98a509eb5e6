import type { StoredFile } from '../../domain/file';
import type { StorageUsage } from '../../domain/storage-quota';

/** A file with its company and its key in the store. */
export interface KeptFile extends StoredFile {
  readonly companyId: number;
  readonly storageKey: string;
}

/** How many bytes one company stores. */
export interface StoredBytes {
  readonly companyId: number;
  readonly bytes: number;
}

/** Reads the data about files. */
export abstract class FileReader {
  /** All of them, by id, in batches (contract §2.6). */
  abstract list(companyId: number): AsyncIterable<readonly StoredFile[]>;

  /** Null when this company has no such file. */
  abstract find(companyId: number, id: number): Promise<KeptFile | null>;

  /** Finds files of any company, for callers with a valid link: one for each id, in order; null for an unknown id. */
  abstract findLinked(ids: readonly number[]): Promise<readonly (KeptFile | null)[]>;

  /** The bytes and files that the company stores, from a counter. */
  abstract usage(companyId: number): Promise<StorageUsage>;

  /** The companies that store the most bytes, most first. For operators: it reads across companies. */
  abstract largestCompanies(limit: number): Promise<readonly StoredBytes[]>;
}
