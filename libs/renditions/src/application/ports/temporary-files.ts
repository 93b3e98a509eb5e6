import type { Rendition, StoredRendition } from './renditions';

export interface TemporaryFileKey {
  readonly companyId: number;
  /** Names the content of the file. */
  readonly variant: string;
}

/** Stores the files of statements of account and of previews for as long as somebody fetches them. */
export abstract class TemporaryFiles {
  /** Null if the file does not exist. */
  abstract find(key: TemporaryFileKey): Promise<StoredRendition | null>;

  /** Null if the file has been removed. */
  abstract content(key: TemporaryFileKey): Promise<Buffer | null>;

  /** Keeps the file that is already stored under the key, and removes all but the newest of the company. */
  abstract save(key: TemporaryFileKey, file: Rendition): Promise<void>;

  /** Removes files made before a time. Returns one row for each. */
  abstract purge(before: Date, batch: number): Promise<readonly unknown[]>;
}
