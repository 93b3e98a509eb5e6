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

const SUMS = 'SHA256SUMS';
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
    private readonly signal: AbortSignal,
    private readonly report: (line: string) => void,
  ) {}

  /** @throws Error if the folder is not empty, or cannot be written */
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
    try {
      for (const name of ['', 'tables', 'files'])
        await fs.mkdir(path.join(folder, name), { recursive: true, mode: 0o700 });
      await fs.writeFile(path.join(folder, SUMS), '', { flag: 'wx', mode: 0o600 });
    } catch (error) {
      throw unusable(folder, error as Error);
    }
    return new ExportFolder(folder, signal, report);
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

  /** Removes the folder if nothing was exported into it. */
  async discard(): Promise<void> {
    if (this.tables.length === 0 && this.open === null) await fs.rm(this.folder, { recursive: true });
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
