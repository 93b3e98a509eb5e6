import fs from 'node:fs';
import files from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { COMPANY, holdToFileStoreContract, pieces } from '../../testing/file-store.contract';
import { DiskFileStore } from './disk-file-store';

const KEY = 'ab0123456789abcdef0123456789abcd';

let place: string;
let folder: string;

beforeEach(() => {
  place = fs.mkdtempSync(path.join(os.tmpdir(), 'counterfoil-disk-'));
  folder = path.join(place, 'not there yet', 'files');
});
afterEach(() => fs.rmSync(place, { recursive: true, force: true }));

function everything(): string[] {
  if (!fs.existsSync(folder)) return [];
  const entries = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

describe('files on the disk', () => {
  holdToFileStoreContract(() => ({
    store: new DiskFileStore(folder),
    everything: async () => everything().sort(),
    impatient: { store: new DiskFileStore(folder), silenceMaxMs: 100 },
  }));

  it('are in folders by the first two digits of their keys, and only their owner can read them', async () => {
    await new DiskFileStore(folder).put(COMPANY, KEY, pieces(Buffer.from('x')));
    const file = path.join(folder, 'ab', KEY);
    expect(fs.readFileSync(file, 'utf8')).toBe('x');
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(fs.statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
  });

  it('are not taken for removed where the folder of all files is missing', async () => {
    const store = new DiskFileStore(folder);
    await expect(store.remove(KEY)).rejects.toMatchObject({ code: 'UNAVAILABLE', reason: 'storage' });
    await store.put(COMPANY, KEY, pieces(Buffer.from('x')));
    await store.remove(KEY);
    await store.remove(KEY);
    expect(everything()).toEqual([]);
  });

  it('are synced for companies in turn, however many files one stores at once', async () => {
    const ended: number[] = [];
    const open = files.open;
    jest.spyOn(files, 'open').mockImplementation(async (...given) => {
      const file = await open(...given);
      const sync = file.sync.bind(file);
      jest.spyOn(file, 'sync').mockImplementation(async () => {
        await sleep(5);
        await sync();
      });
      return file;
    });
    const store = new DiskFileStore(folder);
    const put = async (companyId: number, number: number): Promise<void> => {
      const key = KEY.replace('ab', String(10 + number));
      await store.put(companyId, key, pieces(Buffer.from('x')));
      ended.push(companyId);
    };
    const crowd = Array.from({ length: 40 }, (_, number) => put(COMPANY, number));
    await sleep(20);
    await put(COMPANY + 1, 50);
    expect(ended.length).toBeLessThan(20);
    await Promise.all(crowd);
    jest.restoreAllMocks();
  });

  it('are removed if a killed process has written them partly', async () => {
    const store = new DiskFileStore(folder);
    await store.put(COMPANY, KEY, pieces(Buffer.from('x')));
    fs.renameSync(path.join(folder, 'ab', KEY), path.join(folder, 'ab', `${KEY}.part`));
    await store.remove(KEY);
    expect(everything()).toEqual([]);
  });

  it('leave no handle open after storing, reading or breaking off', async () => {
    const store = new DiskFileStore(folder);
    const open = (): number => fs.readdirSync('/proc/self/fd').length;
    await store.put(COMPANY, KEY, pieces(Buffer.alloc(1_000_000)));
    const before = open();
    for (let time = 0; time < 30; time++) {
      const key = KEY.replace('ab', String(10 + time));
      await store.put(COMPANY, key, pieces(Buffer.alloc(100_000)));
      for await (const _ of (await store.open(key))!.content);
      const abandoned = (await store.open(key))!.content;
      await new Promise((resolve) => abandoned.once('close', resolve).destroy());
    }
    expect(open()).toBeLessThan(before + 5);
  });

  it('are refused with UNAVAILABLE if the disk is full', async () => {
    fs.mkdirSync(path.dirname(folder), { recursive: true });
    fs.writeFileSync(folder, 'in the way');
    await expect(new DiskFileStore(folder).put(COMPANY, KEY, pieces(Buffer.from('x')))).rejects.toThrow();
  });

  describe('on a machine without resources', () => {
    const fault = (code: string): Error => Object.assign(new Error(`${code}: said the machine`), { code });
    const full = { code: 'UNAVAILABLE', message: expect.stringContaining('is full'), retryAfterSeconds: 30 };
    const tooMany = { ...full, message: expect.stringContaining('too many files') };
    afterEach(() => jest.restoreAllMocks());

    it.each([
      ['ENOSPC', full],
      ['EDQUOT', full],
      ['EMFILE', tooMany],
      ['ENFILE', tooMany],
    ])('%s asks the caller to try again', async (code, expected) => {
      jest.spyOn(files, 'open').mockRejectedValue(fault(code));
      const stored = new DiskFileStore(folder).put(COMPANY, KEY, pieces(Buffer.from('x')));
      await expect(stored).rejects.toMatchObject(expected);
    });

    it('nothing is kept of a file that was partly written', async () => {
      const open = files.open;
      jest.spyOn(files, 'open').mockImplementation(async (...asked) => {
        const file = await open(...asked);
        jest.spyOn(file, 'writeFile').mockRejectedValue(fault('ENOSPC'));
        return file;
      });
      const stored = new DiskFileStore(folder).put(COMPANY, KEY, pieces(Buffer.from('x')));
      await expect(stored).rejects.toMatchObject(full);
      expect(everything()).toEqual([]);
    });

    it('opening a file asks the caller to try again', async () => {
      const store = new DiskFileStore(folder);
      await store.put(COMPANY, KEY, pieces(Buffer.from('x')));
      jest.spyOn(files, 'open').mockRejectedValue(fault('EMFILE'));
      await expect(store.open(KEY)).rejects.toMatchObject(tooMany);
    });
  });
});
