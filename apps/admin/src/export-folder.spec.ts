import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ExportFolder, MANIFEST } from './export-folder';

const TABLE = { table: 'notes', erasure: { why: 'a test' } };

/** Each file is synced, which takes seconds on a busy disk. */
jest.setTimeout(60_000);

let place: string;

beforeEach(() => {
  place = fs.mkdtempSync(path.join(os.tmpdir(), 'export-folder-'));
});
afterEach(() => fs.rmSync(place, { recursive: true }));

const at = (...names: string[]) => path.join(place, ...names);
const create = (folder: string, signal = new AbortController().signal) =>
  ExportFolder.create(folder, signal, () => undefined);
const modeOf = (folder: string) => fs.statSync(folder).mode & 0o777;

describe('the folder of an export', () => {
  it('may be read only by its user, also if it was open before', async () => {
    fs.mkdirSync(at('open'));
    fs.chmodSync(at('open'), 0o755);
    for (const name of ['open', 'new/below']) {
      await create(at(name));
      expect(modeOf(at(name))).toBe(0o700);
    }
  });

  it('is removed with the parents that were made for it, if nothing was exported', async () => {
    await (await create(at('new/below'))).discard();
    expect(fs.readdirSync(place)).toEqual([]);
  });

  it('stays as it was if there was one before', async () => {
    fs.mkdirSync(at('mine'));
    fs.chmodSync(at('mine'), 0o750);
    await (await create(at('mine'))).discard();
    expect(fs.readdirSync(at('mine'))).toEqual([]);
    expect(modeOf(at('mine'))).toBe(0o750);
  });

  it('keeps a parent in which something else has been put meanwhile', async () => {
    const folder = await create(at('new/below'));
    fs.writeFileSync(at('new/other'), 'other');
    await folder.discard();
    expect(fs.readdirSync(at('new'))).toEqual(['other']);
  });

  it('is not removed once it has rows', async () => {
    const folder = await create(at('used'));
    await folder.begin(TABLE, ['id']);
    await folder.lines(['{"id":1}', '{"id":2}']);
    await folder.end();
    await folder.discard();
    expect(fs.readFileSync(at('used/tables/notes.jsonl'), 'utf8')).toBe('{"id":1}\n{"id":2}\n');
    await folder.complete({ company: 1 });
    const [table] = folder.tables;
    expect(table).toMatchObject({ table: 'notes', rows: 2, bytes: 18, columns: ['id'], leftOut: {} });
    expect(fs.readFileSync(at('used/SHA256SUMS'), 'utf8')).toBe(`${table?.sha256}  tables/notes.jsonl\n`);
    expect(JSON.parse(fs.readFileSync(at('used', MANIFEST), 'utf8'))).toMatchObject({ company: 1 });
  });

  it('takes no more rows after an interruption', async () => {
    const interruption = new AbortController();
    const folder = await create(at('new'), interruption.signal);
    await folder.begin(TABLE, ['id']);
    interruption.abort(new Error('stopped'));
    await expect(folder.lines(['{}'])).rejects.toThrow('stopped');
    await folder.close();
  });

  it('must be empty, and no other export may have begun in it', async () => {
    fs.writeFileSync(at('mine.txt'), 'mine');
    await expect(create(place)).rejects.toThrow('is not empty: name a new folder');
    await create(at('interrupted'));
    await expect(create(at('interrupted'))).rejects.toThrow('has an export that was interrupted');
    expect(fs.readdirSync(at('interrupted')).sort()).toEqual(['SHA256SUMS', 'files', 'tables']);
    await expect(create(at('mine.txt/below'))).rejects.toThrow('cannot be written: ENOTDIR');
  });
});
