import { randomBytes } from 'node:crypto';
import { statfsSync } from 'node:fs';
import fs, { type FileHandle } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

const MODE = 0o600;
const PIECE_BYTES = 64 * 1024;
/** The rest is for other users of the temporary folder. */
const USABLE_SHARE = 0.75;

/** Returns how many bytes spools may use, by the free space of the temporary folder. */
export function usableBytes(): number {
  const { bavail, bsize } = statfsSync(os.tmpdir());
  return Math.floor(bavail * bsize * USABLE_SHARE);
}

/** Opens an unlinked temporary file for writing and reading. It disappears with the process, even after a crash. */
export async function openSpool(): Promise<FileHandle> {
  const name = path.join(os.tmpdir(), `counterfoil-${randomBytes(16).toString('hex')}`);
  const file = await fs.open(name, 'wx+', MODE);
  try {
    await fs.rm(name);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/**
 * Reads the content from its beginning. The file stays open, so it may be read again.
 *
 * @param progress `reached` is called with the number of bytes read so far, each time that more are requested
 */
export async function* contentOf(
  file: FileHandle,
  progress: { reached(position: number): void },
): AsyncGenerator<Buffer, void, undefined> {
  for (let position = 0; ;) {
    const { bytesRead, buffer } = await file.read({ buffer: Buffer.allocUnsafe(PIECE_BYTES), position });
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    position += bytesRead;
    progress.reached(position);
  }
}
