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
 * Where the bytes of files are kept. It knows nothing of companies and names; a key is 32 hexadecimal digits in lower
 * case, made for one upload and never used again. Held by `testing/file-store.contract.ts`.
 *
 * All of it throws AppError `UNAVAILABLE` when the store is away, or full.
 */
export abstract class FileStore {
  /**
   * Stores `content`, and resolves when it would survive a power cut. Never holds a whole file in memory, and reads
   * no faster than it can write. Nothing can be opened under the key before.
   *
   * @param companyId the company whose turn at the store this takes: waiting companies get it one after the other
   * @throws the errors of `content` and of the store. Written bytes are then removed if possible, or else by `remove`
   */
  abstract put(companyId: number, key: string, content: AsyncIterable<Buffer>): Promise<void>;

  /** Null when there is nothing under the key. A reader may pause for as long as it likes. */
  abstract open(key: string): Promise<OpenedObject | null>;

  /** Removes any object under the key, including the partial one of a killed process. A missing one is no error. */
  abstract remove(key: string): Promise<void>;
}
