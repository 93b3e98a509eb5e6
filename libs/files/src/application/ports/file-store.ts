import type { Readable } from 'node:stream';

/** Objects that are open at once in one process at most: whoever is to open more is refused before. */
export const OPEN_AT_ONCE_MAX = 500;

/** An object of the store, ready to be read. Whoever opens it reads it to its end or destroys the stream. */
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
   * Keeps what is read from `content`, and resolves when it would survive a power cut. Never holds a whole file in
   * memory, and reads no faster than it can write. Nothing can be opened under the key before.
   *
   * @throws whatever `content` throws, and what the store itself meets. What was written by then is removed where that
   *   is possible; `remove` does it otherwise
   */
  abstract put(key: string, content: AsyncIterable<Buffer>): Promise<void>;

  /** Null when there is nothing under the key. A reader may pause for as long as it likes. */
  abstract open(key: string): Promise<OpenedObject | null>;

  /** Removes whatever there is under the key, what a killed process has half written included; nothing is fine too. */
  abstract remove(key: string): Promise<void>;
}
