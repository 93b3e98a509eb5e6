import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { CompanyTable, TableSink } from '@counterfoil/company-data';

/** A file of the export, as the manifest names it. */
export interface ExportedTable {
  readonly table: string;
  readonly file: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly columns: readonly string[];
  readonly leftOut: Readonly<Record<string, string>>;
}

interface OpenTable {
  readonly table: CompanyTable;
  readonly columns: readonly string[];
  readonly file: string;
  readonly handle: fs.FileHandle;
  readonly hash: Hash;
  rows: number;
  bytes: number;
}

/** The changes by which the folder was made. */
interface Origin {
  /** The names in the folder. */
  readonly made: string[];
  /** The first folder of the path that was made; null if all of them existed. */
  created: string | null;
  /** The former mode of a folder that there was; null if it is unchanged. */
  mode: number | null;
}

const SUMS = 'SHA256SUMS';
/** Only the user of the command may read an export. */
const FOLDER_MODE = 0o700;
export const MANIFEST = 'manifest.json';

/**
 * The folder of an export. Its manifest is written last, so a folder without one is incomplete. Only the user of the
 * command may read it.
 */
export class ExportFolder implements TableSink {
  readonly tables: ExportedTable[] = [];
  private open: OpenTable | null = null;

  private constructor(
    readonly folder: string,
    private readonly origin: Origin,
    private readonly signal: AbortSignal,
    private readonly report: (line: string) => void,
  ) {}

  /** @throws Error if the folder is not empty, or cannot be written; it is then as before */
  static async create(
    folder: string,
    signal: AbortSignal,
    report: (line: string) => void,
  ): Promise<ExportFolder> {
    const found = await fs.readdir(folder).catch((error: NodeJS.ErrnoException): string[] => {
      if (error.code === 'ENOENT') return [];
      throw unusable(folder, error);
    });
    if (found.includes(SUMS) && !found.includes(MANIFEST))
      throw new Error(`${folder} has an export that was interrupted: remove it, or name another folder`);
    if (found.length > 0) throw new Error(`${folder} is not empty: name a new folder`);
    const origin: Origin = { made: [], created: null, mode: null };
    const created = new ExportFolder(folder, origin, signal, report);
    try {
      origin.created = await makeFolder(folder);
      // A folder that the operator has made may be open to others.
      if (origin.created === null) origin.mode = await closed(folder);
      for (const name of ['tables', 'files']) {
        await fs.mkdir(path.join(folder, name), { mode: FOLDER_MODE });
        origin.made.push(name);
      }
      await fs.writeFile(path.join(folder, SUMS), '', { flag: 'wx', mode: 0o600 });
      origin.made.push(SUMS);
    } catch (error) {
      await created.discard();
      throw unusable(folder, error as Error);
    }
    return created;
  }

  async begin(table: CompanyTable, columns: readonly string[]): Promise<void> {
    const file = `tables/${table.table}.jsonl`;
    const handle = await fs.open(path.join(this.folder, file), 'wx', 0o600);
    this.open = { table, columns, file, handle, hash: createHash('sha256'), rows: 0, bytes: 0 };
  }

  async lines(lines: readonly string[]): Promise<void> {
    this.signal.throwIfAborted();
    const open = this.opened();
    const bytes = Buffer.from(`${lines.join('\n')}\n`);
    open.hash.update(bytes);
    await open.handle.writeFile(bytes);
    open.rows += lines.length;
    open.bytes += bytes.length;
    this.report(`${open.table.table}: ${open.rows} rows`);
  }

  async end(): Promise<void> {
    const { table, columns, file, handle, hash, rows, bytes } = this.opened();
    this.open = null;
    await handle.sync();
    await handle.close();
    const sha256 = hash.digest('hex');
    const { leftOut = {} } = table;
    this.tables.push({ table: table.table, file, rows, bytes, sha256, columns, leftOut });
    await this.noteSum(file, sha256);
  }

  /** Adds a line in the format of `sha256sum -c`. */
  async noteSum(file: string, sha256: string): Promise<void> {
    await fs.appendFile(path.join(this.folder, SUMS), `${sha256}  ${file}\n`);
  }

  async complete(manifest: object): Promise<void> {
    const sums = createHash('sha256');
    for await (const piece of createReadStream(path.join(this.folder, SUMS))) sums.update(piece as Buffer);
    const content = { ...manifest, sums: { file: SUMS, sha256: sums.digest('hex') } };
    const handle = await fs.open(path.join(this.folder, MANIFEST), 'wx', 0o600);
    await handle.writeFile(`${JSON.stringify(content, null, 2)}\n`);
    await handle.sync();
    await handle.close();
  }

  /** Removes what `create` has made, if nothing was exported into it. A folder that there was before stays. */
  async discard(): Promise<void> {
    if (this.tables.length > 0 || this.open !== null) return;
    const { made, created, mode } = this.origin;
    for (const name of made) await fs.rm(path.join(this.folder, name), { recursive: true });
    if (mode !== null) await fs.chmod(this.folder, mode);
    if (created !== null) await removeEmpty(this.folder, created);
  }

  async close(): Promise<void> {
    await this.open?.handle.close();
  }

  private opened(): OpenTable {
    if (!this.open) throw new Error('no table is being written');
    return this.open;
  }
}

function unusable(folder: string, cause: Error): Error {
  return new Error(`${folder} cannot be written: ${cause.message}`, { cause });
}

/**
 * Makes a folder and the parents that are missing. Node's own way to do this reports ENOENT on a disk that is read-only.
 *
 * @returns the first folder that was made; null if all of them existed
 */
async function makeFolder(folder: string): Promise<string | null> {
  try {
    await fs.mkdir(folder, { mode: FOLDER_MODE });
    return folder;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return null;
    if (code !== 'ENOENT') throw error;
  }
  const first = await makeFolder(path.dirname(folder));
  await fs.mkdir(folder, { mode: FOLDER_MODE });
  return first ?? folder;
}

/** Closes a folder to others, and returns its former mode. */
async function closed(folder: string): Promise<number> {
  const { mode } = await fs.stat(folder);
  await fs.chmod(folder, FOLDER_MODE);
  return mode & 0o7777;
}

/** Removes a folder and its parents up to the first that was made, unless something else is in them. */
async function removeEmpty(folder: string, first: string): Promise<void> {
  for (let removed = folder; removed.length >= first.length; removed = path.dirname(removed)) {
    const isRemoved = await fs.rmdir(removed).then(
      () => true,
      () => false,
    );
    if (!isRemoved) return;
  }
}
