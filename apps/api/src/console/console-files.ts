import fs from 'node:fs/promises';
import path from 'node:path';
import { shareRun } from '@counterfoil/kernel';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/** The built console, as `tools/build-console.mjs` writes it. */
const FOLDER = path.resolve(__dirname, '../../../../console');

/** A file in three encodings. */
export interface ConsoleFile {
  readonly type: string;
  readonly plain: Buffer;
  readonly gzip: Buffer;
  readonly brotli: Buffer;
}

interface Build {
  readonly builtAtMs: number;
  /** The page, whose addresses begin at the root of the service. */
  readonly page: string;
}

/**
 * The files of the console, from memory. The console may be built after the process has started, and again while it runs.
 * Files of an earlier build are kept, because pages that were opened before still ask for them.
 */
export class ConsoleFiles {
  private readonly files = new Map<string, ConsoleFile>();
  private build: Build | null = null;

  /** The page as last loaded; null while the console is not built. */
  page(): string | null {
    return this.build?.page ?? null;
  }

  /** A loaded file by its name; null for a name that no build has written. */
  file(name: string): ConsoleFile | null {
    return this.files.get(name) ?? null;
  }

  /** Loads the current build unless it is there. Concurrent callers share a load. */
  readonly load = shareRun(() => this.loadCurrent());

  private async loadCurrent(): Promise<void> {
    const index = path.join(FOLDER, 'index.html');
    const found = await fs.stat(index).catch(() => null);
    if (found === null || found.mtimeMs === this.build?.builtAtMs) return;
    const assets = path.join(FOLDER, 'assets');
    const names = (await fs.readdir(assets)).filter((name) => path.extname(name) in TYPES);
    const read = await Promise.all(names.map(async (name) => [name, await readFile(assets, name)] as const));
    for (const [name, file] of read) this.files.set(name, file);
    this.build = { builtAtMs: found.mtimeMs, page: await fs.readFile(index, 'utf8') };
  }
}

async function readFile(folder: string, name: string): Promise<ConsoleFile> {
  const file = path.join(folder, name);
  const [plain, gzip, brotli] = await Promise.all([
    fs.readFile(file),
    fs.readFile(`${file}.gz`),
    fs.readFile(`${file}.br`),
  ]);
  return { type: TYPES[path.extname(name)] ?? '', plain, gzip, brotli };
}
