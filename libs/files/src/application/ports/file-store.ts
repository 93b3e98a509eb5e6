import type { Readable } from 'node:stream';

/** The maximum of open objects in one process. More are refused. */
export const OPEN_AT_ONCE_MAX = 500;

/** An object of the store. Its opener must read it to its end or destroy the stream. */
export interface OpenedObject {
  readonly content: Readable;
  /** In bytes. */
  readonly size: number;
}

/**
 * Stores the bytes of files. A key is 32 hexadecimal digits in lower case, created for one upload and never used again.
 * `testing/file-store.contract.ts` tests this contract.
 *
 * All methods throw AppError `UNAVAILABLE` if the store is unavailable or full.
 */
export abstract class FileStore {
  /**
   * Stores `content`, and resolves when it would survive a power cut. Until then, `open` does not find the key. Never
   * holds a whole file in memory, and reads no faster than it can write.
   *
   * @param companyId the company whose slot this uses; waiting companies get free slots in turn
   * @throws the errors of `content` and of the store. Written bytes are then removed if possible, or else by `remove`
   */
  abstract put(companyId: number, key: string, content: AsyncIterable<Buffer>): Promise<void>;

  /** Null if there is nothing under the key. A reader may pause for any time. */
  abstract open(key: string): Promise<OpenedObject | null>;

  /** Removes any object under the key, including the partial one of a killed process. A missing one is no error. */
  abstract remove(key: string): Promise<void>;
}
