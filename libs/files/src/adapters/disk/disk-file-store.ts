import fs from 'node:fs/promises';
import path from 'node:path';
import { KeyedSemaphore, UnavailableError } from '@counterfoil/kernel';
import { FileStore, type OpenedObject } from '../../application/ports/file-store';
import { faultOfDisk, throwFaultOfDisk } from '../disk-errors';

/** Concurrent syncs. Each blocks one of the few threads that serve all files of a process. */
const SYNCS_AT_ONCE = 2;
const SYNC_WAIT_MAX_MS = 60_000;
const MISSING_RETRY_SECONDS = 60;
/** Only the user that runs the service may read uploaded files. */
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/**
 * Stores files in folders by the first two digits of their keys. A file gets a temporary name, and is renamed when all
 * of it is on the disk, so a file with its final name is complete.
 */
export class DiskFileStore extends FileStore {
  private readonly syncs = new KeyedSemaphore<number>({
    openMax: SYNCS_AT_ONCE,
    openInAllMax: SYNCS_AT_ONCE,
    waitMaxMs: SYNC_WAIT_MAX_MS,
    message: 'the disk is too busy; try again',
    reason: 'storage',
  });

  constructor(private readonly folder: string) {
    super();
  }

  override async put(companyId: number, key: string, content: AsyncIterable<Buffer>): Promise<void> {
    const draft = this.draftOf(key);
    await makeFolder(path.dirname(draft)).catch(throwFaultOfDisk);
    try {
      await this.write(companyId, draft, content);
      await fs.rename(draft, this.fileOf(key));
      await this.syncs.run(companyId, () => sync(path.dirname(draft)));
    } catch (error) {
      await fs.rm(draft, { force: true });
      throw faultOfDisk(error);
    }
  }

  override async open(key: string): Promise<OpenedObject | null> {
    const file = await fs.open(this.fileOf(key)).catch(nullWhereMissing);
    if (!file) return null;
    try {
      const { size } = await file.stat();
      return { content: file.createReadStream(), size };
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /**
   * A missing file is as good as a removed one, unless all are missing: then DATA_DIR is wrong or its volume is absent,
   * and the files would stay with nothing that leads to them.
   */
  override async remove(key: string): Promise<void> {
    if (!(await exists(this.folder))) throw allMissing();
    await fs.rm(this.draftOf(key), { force: true });
    await fs.rm(this.fileOf(key), { force: true });
  }

  private async write(companyId: number, draft: string, content: AsyncIterable<Buffer>): Promise<void> {
    const file = await fs.open(draft, 'wx', FILE_MODE);
    try {
      for await (const piece of content) await file.writeFile(piece);
      await this.syncs.run(companyId, () => file.sync());
    } finally {
      await file.close();
    }
  }

  private fileOf(key: string): string {
    return path.join(this.folder, key.slice(0, 2), key);
  }

  private draftOf(key: string): string {
    return `${this.fileOf(key)}.part`;
  }
}

const exists = (folder: string): Promise<boolean> =>
  fs.access(folder).then(
    () => true,
    () => false,
  );

const allMissing = (): UnavailableError =>
  new UnavailableError('storage', 'the folder of all files is missing: check DATA_DIR and its volume', {
    retryAfterSeconds: MISSING_RETRY_SECONDS,
  });

/** Creates the folder and its parents, and syncs each parent, so that the entries survive a power cut. */
async function makeFolder(folder: string): Promise<void> {
  const first = await fs.mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = path.dirname(made))
    await sync(path.dirname(made));
}

async function sync(folder: string): Promise<void> {
  const opened = await fs.open(folder);
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}

function nullWhereMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw faultOfDisk(error);
}
