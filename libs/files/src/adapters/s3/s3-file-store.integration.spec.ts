import fs from 'node:fs';
import files from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import type { S3Config } from '@counterfoil/config';
import { until } from '@counterfoil/test-harness';
import S3rver from 's3rver';
import { COMPANY, holdToFileStoreContract, pieces } from '../../testing/file-store.contract';
import { refuse, StandInStore } from '../../testing/stand-in-store';
import { S3FileStore } from './s3-file-store';

const KEY = 'ab0123456789abcdef0123456789abcd';
const OTHER_KEY = KEY.replace('ab', 'cd');
const BUCKET = 'receipts';
const MIB = 1024 * 1024;

let place: string;
let server: S3rver;
let config: S3Config;

beforeAll(async () => {
  place = fs.mkdtempSync(path.join(os.tmpdir(), 'counterfoil-s3-'));
  const options = { port: 0, address: '127.0.0.1', silent: true, directory: place };
  server = new S3rver({ ...options, configureBuckets: [{ name: BUCKET, configs: [] }] });
  const { port } = await server.run();
  config = {
    bucket: BUCKET,
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    forcePathStyle: true,
    prefix: 'counterfoil/files/',
  };
});

afterAll(async () => {
  await server.close();
  fs.rmSync(place, { recursive: true, force: true });
});

function everything(): string[] {
  const entries = fs.readdirSync(path.join(place, BUCKET), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.name.endsWith('._S3rver_object')).map(({ name }) => name);
}

const spooled = (): string[] =>
  fs.readdirSync(os.tmpdir()).filter((name) => /^counterfoil-[0-9a-f]{32}$/.test(name));

describe('files as objects of S3', () => {
  holdToFileStoreContract(() => ({
    store: new S3FileStore(config),
    everything: async () => [...everything().sort(), ...spooled()],
    impatient: { store: new S3FileStore(config, { silenceMaxMs: 500 }), silenceMaxMs: 500 },
  }));

  it('have keys that begin with S3_PREFIX', async () => {
    await new S3FileStore(config).put(COMPANY, KEY, pieces(Buffer.from('x')));
    expect(fs.existsSync(path.join(place, BUCKET, 'counterfoil/files', `${KEY}._S3rver_object`))).toBe(true);
  });

  it('are refused without the bucket, and the error contains no secret', async () => {
    const store = new S3FileStore({
      ...config,
      bucket: 'nothing',
      credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    });
    const fault: unknown = await store
      .put(COMPANY, KEY, pieces(Buffer.from('x')))
      .catch((error: unknown) => error);
    expect(fault).toMatchObject({ name: 'NoSuchBucket' });
    expect(JSON.stringify(fault)).not.toContain('S3RVER');
    // Not null, as for a missing object.
    await expect(store.open(KEY)).rejects.toMatchObject({ name: 'NoSuchBucket' });
  });

  it('are refused without access to the bucket', async () => {
    const store = new S3FileStore({
      ...config,
      credentials: { accessKeyId: 'NOBODY', secretAccessKey: 'x' },
    });
    const refusal = { name: 'InvalidAccessKeyId' };
    await expect(store.put(COMPANY, KEY, pieces(Buffer.from('x')))).rejects.toMatchObject(refusal);
    await expect(store.remove(KEY)).rejects.toMatchObject(refusal);
    await expect(store.open(KEY)).rejects.toMatchObject(refusal);
  });

  async function openedBy(readers: number, store: S3FileStore): Promise<void> {
    await store.put(COMPANY, KEY, pieces(Buffer.alloc(16 * MIB)));
    const paused = await Promise.all(Array.from({ length: readers }, () => store.open(KEY)));
    try {
      await store.put(COMPANY, OTHER_KEY, pieces(Buffer.from('x')));
      const { content } = (await new S3FileStore(config).open(OTHER_KEY))!;
      expect(await content.toArray()).toEqual([Buffer.from('x')]);
      await store.remove(OTHER_KEY);
    } finally {
      for (const object of paused) object?.content.destroy();
    }
  }

  it('are stored and removed while many are opened and not read', async () => {
    await openedBy(60, new S3FileStore(config));
  });

  it('are stored and removed while the maximum is open', async () => {
    await openedBy(2, new S3FileStore(config, { readsAtOnce: 2 }));
  });

  it('are not stored if the machine has no space for the spool', async () => {
    const full = Object.assign(new Error('ENOSPC: said the machine'), { code: 'ENOSPC' });
    const opening = jest.spyOn(files, 'open').mockRejectedValue(full);
    try {
      const stored = new S3FileStore(config).put(COMPANY, KEY, pieces(Buffer.from('x')));
      await expect(stored).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 30 });
    } finally {
      opening.mockRestore();
    }
  });

  it('leave space in the temporary folder to the uploads of other companies', async () => {
    const store = new S3FileStore(config, { spoolBytes: 1_000 });
    const nothing = (): void => undefined;
    let end = nothing;
    async function* slow(): AsyncGenerator<Buffer> {
      yield Buffer.alloc(500);
      await new Promise<void>((resolve) => (end = resolve));
    }
    const storing = store.put(COMPANY, KEY, slow());
    const isWaiting = () => end !== nothing;
    await until('the upload', isWaiting);
    const put = (company: number) => store.put(company, OTHER_KEY, pieces(Buffer.alloc(100)));
    await expect(put(COMPANY)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await put(COMPANY + 1);
    end();
    await storing;
    await put(COMPANY);
    await Promise.all([KEY, OTHER_KEY].map((key) => store.remove(key)));
  });
});

describe('an object store', () => {
  const away = { code: 'UNAVAILABLE', retryAfterSeconds: 5 };
  const limits = { silenceMaxMs: 300, removeMaxMs: 300, answerMaxMs: 300, pauseMs: 20 };
  const small = () => pieces(Buffer.alloc(5));
  let endpoint: StandInStore;
  let store: S3FileStore;

  beforeEach(async () => {
    endpoint = new StandInStore();
    await endpoint.start();
    store = new S3FileStore(endpoint.config, limits);
  });
  afterEach(() => endpoint.close());

  it('that fails gets a file again, a limited number of times', async () => {
    let failures = 2;
    endpoint.answers((response) => response.writeHead(failures-- > 0 ? 500 : 200).end());
    await store.put(COMPANY, KEY, pieces(Buffer.alloc(70_000)));
    expect(endpoint.asked.map(({ bytes }) => bytes)).toEqual([70_000, 70_000, 70_000]);
    failures = 99;
    await expect(store.put(COMPANY, KEY, small())).rejects.toMatchObject(away);
    expect(endpoint.asked).toHaveLength(6);
  });

  it('that hangs delays any call only once', async () => {
    await expect(store.put(COMPANY, KEY, small())).rejects.toMatchObject(away);
    await expect(store.remove(KEY)).rejects.toMatchObject(away);
    expect(endpoint.asked.map(({ method }) => method)).toEqual(['PUT', 'DELETE']);
    await expect(store.open(KEY)).rejects.toMatchObject(away);
  });

  it('that hangs at the second attempt does not get the whole time again', async () => {
    endpoint.answers((response) => (endpoint.asked.length === 1 ? response.writeHead(500).end() : undefined));
    await expect(store.put(COMPANY, KEY, pieces(Buffer.alloc(MIB)))).rejects.toMatchObject(away);
    expect(endpoint.asked).toHaveLength(2);
  });

  it('has a time limit for a whole file, even if it keeps moving', async () => {
    const hurried = new S3FileStore(endpoint.config, { silenceMaxMs: 60_000, putMaxMs: 200 });
    await expect(hurried.put(COMPANY, KEY, small())).rejects.toMatchObject(away);
  });

  it('that fails a removal gets one attempt, and the sweep tries again', async () => {
    endpoint.answers((response) => response.writeHead(500).end());
    await expect(store.remove(KEY)).rejects.toMatchObject(away);
    expect(endpoint.asked).toHaveLength(1);
  });

  it.each([
    [400, 'RequestTimeout'],
    [403, 'RequestTimeTooSkewed'],
    [408, 'Unnamed'],
    [429, 'TooManyRequestsException'],
    [400, 'ThrottlingException'],
    [503, 'SlowDown'],
  ])('that answers %i %s gets the file again, and then counts as unavailable', async (status, code) => {
    let refusals = 1;
    endpoint.answers((response) => {
      if (refusals-- > 0) refuse(response, status, code);
      else response.writeHead(200).end();
    });
    await store.put(COMPANY, KEY, small());
    expect(endpoint.askedBy('PUT')).toBe(2);
    refusals = 99;
    await expect(store.put(COMPANY, KEY, small())).rejects.toMatchObject(away);
    await expect(store.remove(KEY)).rejects.toMatchObject(away);
    await expect(store.open(KEY)).rejects.toMatchObject(away);
  });

  it('that refuses a file gets one attempt', async () => {
    endpoint.answers((response) => refuse(response, 403, 'AccessDenied'));
    await expect(store.put(COMPANY, KEY, small())).rejects.toMatchObject({ name: 'AccessDenied' });
    expect(endpoint.asked).toHaveLength(1);
  });

  it.each<[string, (response: ServerResponse) => unknown, string]>([
    ['falls silent', () => undefined, 'the store sent nothing for 300 ms'],
    ['breaks off', (response) => response.destroy(), ''],
  ])('that %s in the middle of a file fails its reader', async (_, then, message) => {
    endpoint.answers((response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('half');
      setImmediate(() => then(response));
    });
    const { content } = (await store.open(KEY))!;
    await expect(content.toArray()).rejects.toThrow(message);
  });

  it('that breaks off between two reads fails only the next read', async () => {
    let gone = false;
    endpoint.answers((response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.once('close', () => (gone = true));
      response.write('half', () => setImmediate(() => response.destroy()));
    });
    const [read, unread] = [(await store.open(KEY))!, (await store.open(KEY))!];
    await until('the store to break off', () => gone);
    unread.content.destroy();
    await expect(read.content.toArray()).rejects.toThrow();
  });
});
