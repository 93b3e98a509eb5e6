import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { BytesMissingError, type ReadFile } from '@counterfoil/files';
import { AppError } from '@counterfoil/kernel';
import type { ExportFolder } from './export-folder';

/** The maximum of files that the manifest names. */
const NAMED_MAX = 100;
const EXTENSION = /^\.[a-z0-9]{1,8}$/i;

/** A row of `tables/files.jsonl`. */
interface FileRow {
  readonly id: number;
  readonly file_name: string;
  readonly sha256: string;
}

export interface ExportedFiles {
  readonly count: number;
  readonly bytes: number;
  /** Files that were deleted after their rows were read. */
  readonly deleted: number;
  /** Files whose bytes are missing, or not those that were uploaded. */
  readonly faulty: number;
  /** The first of them. */
  readonly faults: readonly { readonly id: number; readonly problem: string }[];
}

interface CopiedFile {
  /** Null if there are none. */
  readonly bytes: number | null;
  readonly problem: string | null;
}

/** Copies the bytes of the exported rows of `files`, one after the other. */
export async function exportFiles(
  folder: ExportFolder,
  read: ReadFile,
  {
    companyId,
    signal,
    report,
  }: {
    readonly companyId: number;
    readonly signal: AbortSignal;
    readonly report: (line: string) => void;
  },
): Promise<ExportedFiles> {
  let [count, bytes, deleted, faulty] = [0, 0, 0, 0];
  const faults: { id: number; problem: string }[] = [];
  for await (const row of rowsIn(path.join(folder.folder, 'tables/files.jsonl'))) {
    signal.throwIfAborted();
    const copied = await copy(folder, read, { companyId, row });
    if (copied === 'deleted') {
      deleted += 1;
      continue;
    }
    if (copied.problem !== null) {
      faulty += 1;
      if (faults.length < NAMED_MAX) faults.push({ id: row.id, problem: copied.problem });
    }
    count += copied.bytes === null ? 0 : 1;
    bytes += copied.bytes ?? 0;
    report(`files: ${count} copied, ${bytes} bytes`);
  }
  return { count, bytes, deleted, faulty, faults };
}

async function* rowsIn(file: string): AsyncIterable<FileRow> {
  for await (const line of createInterface({ input: createReadStream(file) }))
    yield JSON.parse(line) as FileRow;
}

async function copy(
  folder: ExportFolder,
  read: ReadFile,
  { companyId, row }: { readonly companyId: number; readonly row: FileRow },
): Promise<CopiedFile | 'deleted'> {
  const content = await opened(read, companyId, row.id);
  if (content === 'deleted') return content;
  if (content === null) return { bytes: null, problem: 'its bytes are not in the store, or not all of them' };
  const name = `files/${row.id}${extensionOf(row.file_name)}`;
  const hash = createHash('sha256');
  let bytes = 0;
  const counting = new Transform({
    transform: (piece: Buffer, _encoding, done) => {
      hash.update(piece);
      bytes += piece.length;
      done(null, piece);
    },
  });
  const target = createWriteStream(path.join(folder.folder, name), { flags: 'wx', mode: 0o600, flush: true });
  await pipeline(content, counting, target);
  const sha256 = hash.digest('hex');
  await folder.noteSum(name, sha256);
  return { bytes, problem: sha256 === row.sha256 ? null : 'other bytes than were uploaded' };
}

/**
 * @returns null if its bytes are missing
 * @throws the errors of the store: then the whole export fails, because they say nothing about one file
 */
async function opened(read: ReadFile, companyId: number, id: number) {
  try {
    return await (await read.ofCompany(companyId, id)).open();
  } catch (error) {
    if (error instanceof BytesMissingError) return null;
    if (error instanceof AppError && error.code === 'NOT_FOUND') return 'deleted';
    throw error;
  }
}

/** A name of a caller's may be anything, so only its harmless end is used. The row has the name. */
function extensionOf(fileName: string): string {
  const extension = path.extname(fileName);
  return EXTENSION.test(extension) ? extension.toLowerCase() : '';
}
