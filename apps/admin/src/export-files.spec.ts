import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { BytesMissingError, ReadFile } from '@counterfoil/files';
import { AppError, UnavailableError } from '@counterfoil/kernel';
import { exportFiles } from './export-files';
import { ExportFolder } from './export-folder';

const COMPANY = 7;
const BYTES = 'a receipt';
const FILES_TABLE = { table: 'files', erasure: { why: 'a test' } };

/** Each file is synced, which takes seconds on a busy disk. */
jest.setTimeout(60_000);

let place: string;
let folder: ExportFolder;

beforeEach(async () => {
  place = fs.mkdtempSync(path.join(os.tmpdir(), 'export-files-'));
  folder = await ExportFolder.create(path.join(place, 'out'), new AbortController().signal, () => undefined);
});
afterEach(() => fs.rmSync(place, { recursive: true }));

/** Exports a file for each answer of the store. */
async function exported(answers: readonly (() => Readable)[], name = 'receipt.PDF') {
  const sha256 = createHash('sha256').update(BYTES).digest('hex');
  await folder.begin(FILES_TABLE, ['id', 'file_name', 'sha256']);
  await folder.lines(answers.map((_, id) => JSON.stringify({ id, file_name: name, sha256 })));
  await folder.end();
  const read = Object.assign(Object.create(ReadFile.prototype) as ReadFile, {
    ofCompany: (_: number, id: number) =>
      Promise.resolve({ open: () => Promise.resolve().then(() => answers[id]?.()) }),
  });
  const signal = new AbortController().signal;
  return exportFiles(folder, read, { companyId: COMPANY, signal, report: () => undefined });
}

const content = (bytes: string) => () => Readable.from([Buffer.from(bytes)]);
const failing = (error: Error) => () => {
  throw error;
};

describe('the files of an export', () => {
  it('are copied under their ids, with harmless endings of their names', async () => {
    expect(await exported([content(BYTES), content(BYTES)])).toEqual({
      ...{ count: 2, bytes: 2 * BYTES.length, deleted: 0, faulty: 0, faults: [] },
    });
    const copied = fs.readdirSync(path.join(place, 'out/files')).sort();
    expect(copied).toEqual(['0.pdf', '1.pdf']);
    expect(fs.readFileSync(path.join(place, 'out/files/0.pdf'), 'utf8')).toBe(BYTES);
  });

  it('have no ending that is more than letters and digits', async () => {
    await exported([content(BYTES)], '../../x.p/d');
    expect(fs.readdirSync(path.join(place, 'out/files'))).toEqual(['0']);
  });

  it('are named as faults if their bytes are missing, or other bytes', async () => {
    const { count, faulty, faults } = await exported([
      failing(new BytesMissingError('none')),
      content('other'),
      content(BYTES),
    ]);
    expect({ count, faulty }).toEqual({ count: 2, faulty: 2 });
    expect(faults).toEqual([
      { id: 0, problem: 'its bytes are not in the store, or not all of them' },
      { id: 1, problem: 'other bytes than were uploaded' },
    ]);
  });

  it('that are deleted meanwhile are counted, and are no faults', async () => {
    const gone = failing(new AppError('NOT_FOUND', 'no such file'));
    expect(await exported([gone, content(BYTES), gone])).toEqual({
      ...{ count: 1, bytes: BYTES.length, deleted: 2, faulty: 0, faults: [] },
    });
  });

  it.each([
    ['refuses', Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' })],
    [
      'is not available',
      new UnavailableError('storage', 'the file storage is not available', { retryAfterSeconds: 5 }),
    ],
  ])('fail the export if the store %s, because nothing is known about the file', async (_, error) => {
    await expect(exported([failing(error), content(BYTES)])).rejects.toBe(error);
  });
});
