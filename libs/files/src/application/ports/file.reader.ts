import type { StoredFile } from '../../domain/file';
import type { StorageUsage } from '../../domain/storage-quota';

/** A file with whose it is, and where its bytes are. */
export interface KeptFile extends StoredFile {
  readonly companyId: number;
  readonly storageKey: string;
}

/** How many bytes one company stores. */
export interface StoredBytes {
  readonly companyId: number;
  readonly bytes: number;
}

/** Reads what is told of files. */
export abstract class FileReader {
  /** All of them, by id, in batches (spec: Pagination contract, rule 6). */
  abstract list(companyId: number): AsyncIterable<readonly StoredFile[]>;

  /** Null when this company has no such file. */
  abstract find(companyId: number, id: number): Promise<KeptFile | null>;

  /** Of whatever company, for who came by a valid link. */
  abstract findLinked(id: number): Promise<KeptFile | null>;

  /** The bytes and files that the company stores, from a counter: no file is read. */
  abstract usage(companyId: number): Promise<StorageUsage>;

  /** The companies that store the most bytes, most first. For the operator: the only read over all companies. */
  abstract largestCompanies(limit: number): Promise<readonly StoredBytes[]>;
}
