import fs from 'node:fs';
import path from 'node:path';
import { IdentityModule } from '@counterfoil/identity';
import { type Caller, Transactions } from '@counterfoil/kernel';
import { startTestContext, type TestContext, until } from '@counterfoil/test-harness';
import { S3FileStore } from '../adapters/s3/s3-file-store';
import { FilesModule } from '../files.module';
import { contentOf, everything, givenCaller, sendFile } from '../testing/given-uploads';
import { StandInStore } from '../testing/stand-in-store';
import { FileDirectory } from './ports/file-directory';
import { FileReader } from './ports/file.reader';
import { FileRepository, type NewFile } from './ports/file.repository';
import { FileStore } from './ports/file-store';
import { ReadFile } from './read-file';
import { RemoveAbandonedUploads } from './remove-abandoned-uploads';

const HOUR_MS = 3_600_000;

let context: TestContext;
let caller: Caller;

beforeEach(async () => {
  context = await startTestContext([FilesModule, IdentityModule]);
  caller = await givenCaller(context);
});
afterEach(() => context.close());

const upload = (...pieces: readonly string[]) =>
  sendFile(context, caller, { fileName: 'receipt.txt', content: contentOf(...pieces) });
const inTransaction: Transactions['run'] = (work) => context.get(Transactions).run(work);
const files = (): FileRepository => context.get(FileRepository);

/** Waits, because bytes of a failed upload are removed after its sender was answered. */
async function expectNothingLeft(): Promise<void> {
  await until('what is left to be cleared', async () => {
    const { uploads, stored } = await everything(context);
    return uploads!.length + stored!.length === 0;
  });
  expect(await everything(context)).toEqual({ files: [], uploads: [], stored: [] });
}

function newFile(storageKey: string): NewFile {
  const { companyId, userId } = caller;
  const told = { fileName: 'a', mimeType: 'text/plain', size: 1, sha256: 'a'.repeat(64) };
  return { ...told, companyId, userId, storageKey, createdAt: new Date() };
}

/** A transaction that has done its work and waits for the test to commit it or roll it back. */
function held(work: Parameters<typeof inTransaction>[0]): {
  readonly worked: Promise<void>;
  readonly end: (how: 'commit' | 'rollback') => Promise<void>;
} {
  let worked = (): void => undefined;
  let end = (_how: 'commit' | 'rollback'): void => undefined;
  const ending = new Promise<'commit' | 'rollback'>((resolve) => (end = resolve));
  const done = new Promise<void>((resolve) => (worked = resolve));
  const transaction = inTransaction(async (tx) => {
    await work(tx);
    worked();
    if ((await ending) === 'rollback') throw new Error('rolled back');
  }).catch(() => undefined);
  return {
    worked: done,
    end: async (how) => {
      end(how);
      await transaction;
    },
  };
}

async function* broken(): AsyncGenerator<Buffer> {
  yield Buffer.alloc(100_000);
  throw new Error('hung up');
}

describe('an upload', () => {
  it('does not wait for uploads of another company, however many of them wait for the database', async () => {
    const other = await givenCaller(context, 'Another');
    // Every upload of the company now has to wait.
    const held = context.database.hold(`select 1 from companies where id = ${other.companyId} for update`);
    await held.ready;
    const sent = () => ({ fileName: 'receipt.txt', content: contentOf('receipt') });
    const waiting = Array.from({ length: 12 }, () => sendFile(context, other, sent()));
    await until('the uploads of the other company to wait', async () => {
      const [row] = await context.database.query<{ count: number }>(
        `select count(*)::int as count from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return row!.count >= 3;
    });
    let isStored = false;
    const stored = upload('receipt').then(() => (isStored = true));
    try {
      await until('the upload to be stored', () => isStored, 3_000);
    } finally {
      await held.release();
    }
    await stored;
    await Promise.allSettled(waiting);
  });

  it('becomes a file of its company, and its upload row is gone', async () => {
    const stranger = await givenCaller(context, 'Another');
    const file = await upload('re', 'ceipt');
    const { files: rows, uploads, stored } = await everything(context);
    expect({ rows: rows!.length, uploads, stored }).toEqual({ rows: 1, uploads: [], stored: rows });
    const { createdAt, ...entry } = file;
    expect(createdAt).toBeInstanceOf(Date);
    const directory = context.get(FileDirectory);
    expect(await directory.find(caller.companyId, file.id)).toEqual(entry);
    expect(await directory.find(stranger.companyId, file.id)).toBeNull();
    const holds = (companyId: number, id: number) => inTransaction((tx) => directory.hold(tx, companyId, id));
    expect(await holds(caller.companyId, file.id)).toBe(true);
    expect(await holds(stranger.companyId, file.id)).toBe(false);
    expect(await holds(caller.companyId, file.id + 1)).toBe(false);
    const listed = async ({ companyId }: Caller) => {
      const batches: unknown[] = [];
      for await (const rows of context.get(FileReader).list(companyId)) batches.push(...rows);
      return batches;
    };
    expect(await listed(caller)).toEqual([file]);
    expect(await listed(stranger)).toEqual([]);
    const read = context.get(ReadFile);
    await expect(read.ofCompany(stranger.companyId, file.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const pieces: Buffer[] = [];
    for await (const piece of await (await read.ofCompany(caller.companyId, file.id)).open())
      pieces.push(piece as Buffer);
    expect(Buffer.concat(pieces).toString()).toBe('receipt');
  });

  it('can be read completely by many readers at once', async () => {
    const text = 'receipt '.repeat(12_500);
    const { id } = await upload(text);
    const file = await context.get(ReadFile).ofCompany(caller.companyId, id);
    const read = await Promise.all(
      Array.from({ length: 50 }, async () => Buffer.concat(await (await file.open()).toArray()).toString()),
    );
    expect(read.filter((one) => one === text)).toHaveLength(50);
  });

  it('releases its slot if it is opened and not read', async () => {
    const { id } = await upload('receipt');
    const file = await context.get(ReadFile).ofCompany(caller.companyId, id);
    const openMany = async (): Promise<number> => {
      const opened = await Promise.allSettled(Array.from({ length: 250 }, () => file.open()));
      const contents = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      for (const content of contents) content.destroy();
      return contents.length;
    };
    expect(await openMany()).toBe(200);
    await until('all places to be free', async () => (await openMany()) === 200);
    await until('a place to be free', () =>
      file.open().then(
        (content) => content.toArray().then(() => true),
        () => false,
      ),
    );
  });

  it('is recorded before its first byte is stored', async () => {
    async function* watched(): AsyncGenerator<Buffer> {
      const { files: rows, uploads, stored } = await everything(context);
      expect({ rows, uploads: uploads!.length }).toEqual({ rows: [], uploads: 1 });
      expect(stored!.every((name) => name === `${uploads![0]}.part`)).toBe(true);
      yield Buffer.from('x');
    }
    await sendFile(context, caller, { fileName: 'a', content: watched() });
  });

  it.each<[string, () => AsyncIterable<Buffer>, string]>([
    ['whose sender fails', broken, 'hung up'],
    ['of nothing', contentOf, 'file must not be empty'],
  ])('%s leaves nothing behind', async (_, content, message) => {
    const sent = { fileName: 'a', content: content() };
    await expect(sendFile(context, caller, sent)).rejects.toThrow(message);
    await expectNothingLeft();
  });

  it('leaves nothing behind if its row cannot be written', async () => {
    await context.database.query('alter table files add constraint nothing check (size = 0)');
    await expect(upload('x')).rejects.toThrow('nothing');
    await expectNothingLeft();
  });

  it('leaves nothing behind if its bytes cannot be stored', async () => {
    const folder = path.join(context.config.dataDir, 'files');
    fs.writeFileSync(folder, 'in the way');
    await expect(upload('x')).rejects.toThrow();
    const { files: rows, uploads } = await everything({
      ...context,
      config: { ...context.config, dataDir: '/nowhere' },
    });
    // Removing its bytes failed, too, so the sweep tries again.
    expect({ rows, uploads: uploads!.length }).toEqual({ rows: [], uploads: 1 });
    fs.rmSync(folder);
    fs.mkdirSync(folder);
    expect(await context.get(RemoveAbandonedUploads).execute(undefined, 0)).toBe(1);
    expect(await everything(context)).toEqual({ files: [], uploads: [], stored: [] });
  });

  it('keeps its own bytes among many concurrent ones', async () => {
    const all = await Promise.all(Array.from({ length: 60 }, (_, at) => upload(`receipt ${at}`)));
    expect(new Set(all.map(({ sha256 }) => sha256)).size).toBe(60);
    expect(new Set(all.map(({ id }) => id)).size).toBe(60);
    const { files: rows, uploads, stored } = await everything(context);
    expect({ rows: rows!.length, uploads, stored }).toEqual({ rows: 60, uploads: [], stored: rows });
  });
});

describe('an upload to an object store', () => {
  const limits = { silenceMaxMs: 300, removeMaxMs: 60_000 };
  let endpoint: StandInStore;

  beforeEach(async () => {
    endpoint = new StandInStore();
    await endpoint.start();
    await context.close();
    const store = new S3FileStore(endpoint.config, limits);
    context = await startTestContext([FilesModule, IdentityModule], (builder) =>
      builder.overrideProvider(FileStore).useValue(store),
    );
    caller = await givenCaller(context);
  });
  afterEach(() => endpoint.close());

  const uploads = async (): Promise<number> => (await everything(context)).uploads!.length;

  it('is left to the sweep if the store did not answer, because it may still store the bytes', async () => {
    endpoint.answers((response, { method }) => {
      if (method === 'DELETE') response.writeHead(204).end();
    });
    await expect(upload('x')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    const { uploads: left } = await everything(context);
    // Then comes another upload, whose bytes the store never received.
    const sent = { fileName: 'a', content: broken() };
    await expect(sendFile(context, caller, sent)).rejects.toThrow('hung up');
    await until('the other one to be cleared', async () => (await uploads()) === 1);
    expect(await everything(context)).toMatchObject({ uploads: left });
    expect(endpoint.askedBy('DELETE')).toBe(1);
    const [row] = await context.database.query<{ at: Date }>('select abandoned_at as at from file_uploads');
    expect(row!.at).toEqual(expect.any(Date));
    expect(await context.get(RemoveAbandonedUploads).execute(undefined, 0)).toBe(1);
    expect(endpoint.askedBy('DELETE')).toBe(2);
    expect(await uploads()).toBe(0);
  });

  it('fails without waiting for the removal of its bytes', async () => {
    let remove = (): unknown => undefined;
    endpoint.answers((response) => (remove = () => response.writeHead(204).end()));
    const sent = { fileName: 'a', content: broken() };
    await expect(sendFile(context, caller, sent)).rejects.toThrow('hung up');
    await until('the removal to begin', () => endpoint.askedBy('DELETE') === 1);
    expect(await uploads()).toBe(1);
    remove();
    await until('it to be forgotten', async () => (await uploads()) === 0);
  });

  it('is left to the sweep if its bytes cannot be removed', async () => {
    endpoint.answers((response) => response.writeHead(500).end());
    const sent = { fileName: 'a', content: broken() };
    await expect(sendFile(context, caller, sent)).rejects.toThrow('hung up');
    await until('the removal to fail', () => endpoint.askedBy('DELETE') === 1);
    expect(await uploads()).toBe(1);
    endpoint.answers((response) => response.writeHead(204).end());
    expect(await context.get(RemoveAbandonedUploads).execute(undefined, 0)).toBe(1);
    expect(await uploads()).toBe(0);
  });

  it('does not delay the end of the process while its bytes are removed', async () => {
    const sent = { fileName: 'a', content: broken() };
    await expect(sendFile(context, caller, sent)).rejects.toThrow('hung up');
    await until('the removal to begin', () => endpoint.askedBy('DELETE') === 1);
    await context.close();
    context = await startTestContext([FilesModule, IdentityModule]);
  });
});

describe('an upload', () => {
  const KEY = 'a'.repeat(32);
  const now = new Date();
  const begin = () =>
    inTransaction((tx) =>
      files().begin(tx, { companyId: caller.companyId, storageKey: KEY, startedAt: now }),
    );
  const finish = () => inTransaction((tx) => files().finish(tx, newFile(KEY)));
  const abandon = () => inTransaction((tx) => files().abandon(tx, KEY, now));

  it('cannot be abandoned once it is a file', async () => {
    await begin();
    expect(await finish()).toEqual(expect.any(Number));
    expect(await abandon()).toBe(false);
    expect(await everything(context)).toMatchObject({ files: [KEY], uploads: [] });
  });

  it('does not become a file once it is abandoned', async () => {
    await begin();
    expect(await abandon()).toBe(true);
    expect(await finish()).toBeNull();
    expect(await everything(context)).toMatchObject({ files: [], uploads: [KEY] });
  });

  it.each([
    ['commit', false, { files: [KEY], uploads: [] }],
    ['rollback', true, { files: [], uploads: [KEY] }],
  ] as const)(
    'is abandoned only after a transaction that finishes it has ended: %s',
    async (how, mayGo, left) => {
      await begin();
      const finishing = held((tx) => files().finish(tx, newFile(KEY)));
      await finishing.worked;
      const abandoning = abandon();
      await until('the lock to be waited for', async () => {
        const waiting = await context.database.query(`select 1 from pg_locks where not granted`);
        return waiting.length > 0;
      });
      await finishing.end(how);
      expect(await abandoning).toBe(mayGo);
      expect(await everything(context)).toMatchObject(left);
    },
  );
});

describe('the sweep', () => {
  const keyOf = (at: number): string => at.toString(16).padStart(32, '0');

  /** Uploads of a killed process: partly written, written, or only recorded. */
  async function givenLeft(count: number, ageMs: number): Promise<string[]> {
    const keys = Array.from({ length: count }, (_, at) => keyOf(at));
    const startedAt = new Date(Date.now() - ageMs);
    await inTransaction(async (tx) => {
      for (const storageKey of keys)
        await files().begin(tx, { companyId: caller.companyId, storageKey, startedAt });
    });
    const folder = path.join(context.config.dataDir, 'files', '00');
    fs.mkdirSync(folder, { recursive: true });
    for (const [at, key] of keys.entries()) {
      if (at % 3 > 0) fs.writeFileSync(path.join(folder, at % 3 === 1 ? key : `${key}.part`), 'x');
    }
    return keys;
  }

  const sweep = () => context.get(RemoveAbandonedUploads).execute();

  it('removes all remains once, also with concurrent sweeps', async () => {
    const file = await upload('x');
    await givenLeft(250, HOUR_MS + 1_000);
    const removed = await Promise.all([sweep(), sweep(), sweep()]);
    expect(removed.reduce((sum, one) => sum + one, 0)).toBeGreaterThanOrEqual(250);
    const { files: rows, uploads, stored } = await everything(context);
    expect({ uploads, stored }).toEqual({ uploads: [], stored: rows });
    await (
      await context.get(ReadFile).ofCompany(caller.companyId, file.id)
    )
      .open()
      .then((read) => read.destroy());
  });

  it('keeps uploads younger than an hour', async () => {
    const keys = await givenLeft(3, HOUR_MS - 60_000);
    expect(await sweep()).toBe(0);
    expect(await everything(context)).toMatchObject({ uploads: keys });
  });

  it('skips an upload that is being finished', async () => {
    const [key] = await givenLeft(1, 2 * HOUR_MS);
    const finishing = held((tx) => files().finish(tx, newFile(key!)));
    await finishing.worked;
    expect(await sweep()).toBe(0);
    await finishing.end('commit');
    expect(await sweep()).toBe(0);
    expect(await everything(context)).toMatchObject({ files: [key], uploads: [] });
  });

  it('makes an upload fail that ends afterwards, and leaves nothing behind', async () => {
    async function* slow(): AsyncGenerator<Buffer> {
      yield Buffer.from('x');
      await context.database.query(`update file_uploads set started_at = started_at - interval '2 hours'`);
      expect(await sweep()).toBe(1);
    }
    const uploading = sendFile(context, caller, { fileName: 'a', content: slow() });
    await expect(uploading).rejects.toThrow();
    await expectNothingLeft();
  });

  it('stops at its signal', async () => {
    await givenLeft(150, 2 * HOUR_MS);
    const stopping = new AbortController();
    // The store does not answer for the 121st.
    let asked = 0;
    const store = context.get(FileStore);
    const remove = store.remove.bind(store);
    const removing = jest.spyOn(store, 'remove').mockImplementation((key) => {
      asked += 1;
      if (asked <= 120) return remove(key);
      setTimeout(() => stopping.abort(), 50);
      return new Promise(() => undefined);
    });
    expect(await context.get(RemoveAbandonedUploads).execute(stopping.signal)).toBe(120);
    removing.mockRestore();
    expect(await context.get(RemoveAbandonedUploads).execute(AbortSignal.abort())).toBe(0);
    expect(await sweep()).toBe(30);
  });
});
