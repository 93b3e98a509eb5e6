import type { Rendition, StoredRendition } from './renditions';

export interface StatementKey {
  readonly companyId: number;
  /** Names the content of the file. */
  readonly variant: string;
}

/** Stores the files of statements of account for as long as somebody fetches them. */
export abstract class StatementFiles {
  /** Null if the file does not exist. */
  abstract find(key: StatementKey): Promise<StoredRendition | null>;

  /** Null if the file has been removed. */
  abstract content(key: StatementKey): Promise<Buffer | null>;

  /** Keeps the file that is already stored under the key, and removes all but the newest of the company. */
  abstract save(key: StatementKey, file: Rendition): Promise<void>;

  /** Removes files made before a time. Returns one row for each. */
  abstract purge(before: Date, batch: number): Promise<readonly unknown[]>;
}
