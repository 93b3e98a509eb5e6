import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { RemoveAbandonedUploads, FilesModule } from '@counterfoil/files';
import { DEMO_KEY, openTestContext, type TestApiProcess, testConfig, until } from '@counterfoil/test-harness';
import S3rver from 's3rver';
import { type ExpectedError, expectError } from './error-body';
import { forbidden, invalid, noKey, tooLarge } from './expected-errors';
import { api, contentOf, HTML, MOST, PDF, PNG, serveFiles, service, sha256, SVG } from './file-calls';
import { type Answer, exchange, exchangeBytes } from './http-exchange';
import {
  END,
  type FileAnswer,
  form,
  MemoryWatch,
  MULTIPART,
  part,
  sendForm,
  SlowUpload,
  storedIn,
  upload,
} from './uploads';
import { MIB } from './wire-values';

serveFiles();

const FILE_PART = 'form-data; name="file"; filename="a.pdf"';
const invalidFile: ExpectedError = invalid('file');
const wrongType: ExpectedError = { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' };
const send = (body: Buffer, headers: Readonly<Record<string, string | null>> = {}): Promise<Answer> =>
  sendForm(service.url, body, { headers });

interface Everything {
  readonly rows: number;
  readonly uploads: number;
  readonly stored: number;
}

async function everything(): Promise<Everything> {
  const [counted] = await service.database.query<Omit<Everything, 'stored'>>(
    'select (select count(*)::int from files) as rows, (select count(*)::int from file_uploads) as uploads',
  );
  return { ...counted!, stored: storedIn(service).length };
}

/** Waits until the stored data is the same as before. */
async function expectNothingLeft(before: Everything): Promise<void> {
  expect(before.uploads).toBe(0);
  await until('what is left to be cleared', async () => {
    const now = await everything();
    return now.uploads === 0 && now.stored === before.stored;
  });
  expect(await everything()).toEqual(before);
}

describe('POST /files/upload', () => {
  it('returns the file, which the list then shows, with its bytes', async () => {
    const bytes = Buffer.concat([Buffer.from(PDF), randomBytes(300_000)]);
    const answer = await send(form(bytes, 'קבלה 7.pdf'));
    expect(answer.status).toBe(201);
    const body = JSON.parse(answer.text) as { success: boolean; fileId: number; file: FileAnswer };
    expect(body).toEqual({
      success: true,
      fileId: expect.any(Number),
      file: {
        id: body.fileId,
        fileName: 'קבלה 7.pdf',
        mimeType: 'application/pdf',
        size: bytes.length,
        sha256: sha256(bytes),
        remoteUrl: expect.stringMatching(`^${service.url}/files/${body.fileId}/content\\?`),
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    });
    const { data } = await api.ok<{ data: FileAnswer[] }>('GET /files');
    expect(data.at(-1)).toEqual(body.file);
    const response = await fetch(body.file.remoteUrl);
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
    const [row] = await service.database.query<{ name: string }>(
      'select u.name from files f join users u on u.id = f.user_id where f.id = $1',
      [body.fileId],
    );
    expect(row?.name).toEqual(expect.any(String));
  });

  it.each<[string, Buffer | string, string]>([
    ['application/pdf', PDF, 'photo.png'],
    ['image/png', PNG, 'page.html'],
    ['image/jpeg', Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'), 'x.pdf'],
    ['image/webp', Buffer.from('RIFF\x24\0\0\0WEBPVP8 \x18\0\0\0', 'latin1'), 'x'],
    ['image/heic', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'), 'x.jpg'],
    ['text/html', HTML, 'receipt.pdf'],
    ['image/svg+xml', SVG, 'logo.png'],
    ['application/xml', '<?xml version="1.0"?><Invoice/>', 'receipt.txt'],
    ['text/plain', 'סה״כ 118.00', 'receipt.pdf'],
    ['application/octet-stream', Buffer.from([1, 0, 255, 254, 3]), 'receipt.pdf'],
  ])('detects %s by the bytes, whatever the name and the part state', async (mimeType, content, fileName) => {
    const file = await upload(service.url, content, { fileName });
    expect(file).toMatchObject({ mimeType, fileName, sha256: sha256(content) });
    const found = await contentOf(file.id);
    expect(found.headers['content-type']).toContain(mimeType);
  });

  it.each([
    ['filename="C:\\fakepath\\receipt.pdf"', 'receipt.pdf'],
    ['filename="../../../etc/passwd"', 'passwd'],
    ['filename="a\u202efdp.exe"', 'afdp.exe'],
    ['filename="a\x01\x7fb.pdf"', 'ab.pdf'],
    ['filename="a\\"b.pdf"', 'a"b.pdf'],
    ['filename=plain.pdf', 'plain.pdf'],
    ["filename*=UTF-8''%D7%A7%D7%91%D7%9C%D7%94.pdf", 'קבלה.pdf'],
    [`filename="${'x'.repeat(400)}.pdf"`, `${'x'.repeat(251)}.pdf`],
    ['filename=""', 'file'],
    ['filename=".."', 'file'],
  ])('stores %j as a safe name', async (written, fileName) => {
    const answer = await send(Buffer.concat([part(`form-data; name="file"; ${written}`, PDF), END]));
    expect(JSON.parse(answer.text)).toMatchObject({ success: true, file: { fileName } });
    const { fileId } = JSON.parse(answer.text) as { fileId: number };
    const { headers } = await contentOf(fileId);
    expect(headers['content-disposition']).toMatch(/^inline; filename=/);
  });

  it('accepts a file without a name, if its part has a type', async () => {
    const nameless = part('form-data; name="file"', PDF, 'Content-Type: application/pdf\r\n');
    const { text } = await send(Buffer.concat([nameless, END]));
    expect(JSON.parse(text)).toMatchObject({
      success: true,
      file: { fileName: 'file', mimeType: 'application/pdf' },
    });
  });

  it('ignores parts of other types beside the file', async () => {
    const json = part('form-data; name="meta"', '{"a":1}', 'Content-Type: application/json\r\n');
    const { text } = await send(Buffer.concat([json, part(FILE_PART, PDF), END]));
    expect(JSON.parse(text)).toMatchObject({ success: true });
  });

  it('ignores fields beside the file', async () => {
    const field = part('form-data; name="vendorId"', '7');
    for (const parts of [
      [field, part(FILE_PART, PDF)],
      [part(FILE_PART, PDF), field, field],
    ]) {
      expect((await send(Buffer.concat([...parts, END]))).status).toBe(201);
    }
  });

  it('accepts up to 25 MiB', async () => {
    const before = await everything();
    const most = await upload(service.url, Buffer.alloc(MOST, 'x'));
    expect(most.size).toBe(MOST);
    const { text } = await contentOf(most.id);
    expect(text.length).toBe(MOST);
    expectError(await send(form(Buffer.alloc(MOST + 1, 'x'))), tooLarge);
    await expectNothingLeft({ ...before, rows: before.rows + 1, stored: before.stored + 1 });
  });

  it('refuses a too large body before it arrives, by its length', async () => {
    const slow = new SlowUpload(service.url, 2_000 * MIB);
    expect(await slow.answer()).toMatch(/^HTTP\/1\.1 413 [^]*"code":"PAYLOAD_TOO_LARGE"/);
    slow.hangUp();
  });

  it('refuses a too large body without a length while it arrives, and lets the sender finish', async () => {
    const before = await everything();
    const piece = Buffer.alloc(MIB, 'x');
    const chunk = Buffer.concat([
      Buffer.from(`${piece.length.toString(16)}\r\n`),
      piece,
      Buffer.from('\r\n'),
    ]);
    const header = Buffer.from(`--a-boundary-of-the-test\r\nContent-Disposition: ${FILE_PART}\r\n\r\n`);
    const answer = await exchangeBytes(service.url, [
      `POST /files/upload HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${DEMO_KEY}\r\n`,
      `Content-Type: ${MULTIPART}\r\nTransfer-Encoding: chunked\r\n\r\n`,
      Buffer.concat([Buffer.from(`${header.length.toString(16)}\r\n`), header, Buffer.from('\r\n')]),
      ...Array.from({ length: 40 }, () => chunk),
      '0\r\n\r\n',
    ]);
    expectError(answer, tooLarge);
    await expectNothingLeft(before);
  });

  const good = part(FILE_PART, PDF);
  // The body of `curl -F file=receipt.pdf`, with the @ forgotten.
  const nameOnly = Buffer.concat([part('form-data; name="file"', 'receipt.pdf'), END]);
  it.each<[string, Buffer, ExpectedError, string?]>([
    ['an empty file', form(''), invalidFile],
    ['no part at all', END, invalidFile],
    ['only fields', Buffer.concat([part('form-data; name="a"', 'x'), END]), invalidFile],
    ['the name of a file in the place of its content', nameOnly, invalidFile],
    ['the same beside a file', Buffer.concat([good, nameOnly]), invalidFile],
    [
      'a part of another name',
      Buffer.concat([part('form-data; name="document"; filename="a"', PDF), END]),
      invalidFile,
    ],
    ['two files', Buffer.concat([good, good, END]), invalidFile],
    [
      'a file and another under another name',
      Buffer.concat([good, part('form-data; name="x"; filename="b"', PDF), END]),
      invalidFile,
    ],
    [
      'more fields than anybody needs',
      Buffer.concat([good, ...Array.from({ length: 30 }, () => part('form-data; name="a"', 'x')), END]),
      invalidFile,
    ],
    ['no body', Buffer.alloc(0), invalid()],
    ['text that is no form', Buffer.from(PDF), invalid()],
    ['no end', good, invalid()],
    ['half a boundary', Buffer.concat([good, END.subarray(0, 9)]), invalid()],
    ['a part without a disposition', Buffer.concat([part(null, PDF), END]), invalid()],
    ['another boundary', form(PDF), invalid(), 'multipart/form-data; boundary=other'],
    ['no boundary', form(PDF), invalid(), 'multipart/form-data'],
    ['an empty boundary', form(PDF), invalid(), 'multipart/form-data; boundary='],
    ['JSON', Buffer.from('{"file":"x"}'), wrongType, 'application/json'],
    ['JSON that is none', Buffer.from('{'), wrongType, 'application/json'],
    ['bytes', Buffer.from(PDF), wrongType, 'application/pdf'],
    ['another kind of parts', form(PDF), wrongType, 'multipart/mixed; boundary=x'],
    ['a form of fields', Buffer.from('file=x'), wrongType, 'application/x-www-form-urlencoded'],
  ])('refuses %s, and stores nothing', async (_, body, expected, type = MULTIPART) => {
    const before = await everything();
    expectError(await send(body, { 'content-type': type }), expected);
    await expectNothingLeft(before);
  });

  it('refuses a body without a type', async () => {
    expectError(await send(form(PDF), { 'content-type': null }), wrongType);
  });

  it('checks key and role before it reads anything', async () => {
    const before = await everything();
    const viewer = await api.ok<{ key: string }>('POST /api-keys', {
      body: { role: 'viewer', userName: 'V' },
    });
    for (const [key, status] of [
      ['sk_test_unknown', 401],
      [viewer.key, 403],
    ] as const) {
      const slow = new SlowUpload(service.url, MOST, key);
      expect(await slow.answer()).toMatch(`HTTP/1.1 ${status} `);
      slow.hangUp();
      expectError(await sendForm(service.url, form(PDF), { key }), status === 401 ? noKey : forbidden);
      expectError(
        await sendForm(service.url, Buffer.from('{}'), {
          key,
          headers: { 'content-type': 'application/json' },
        }),
        status === 401 ? noKey : forbidden,
      );
    }
    await expectNothingLeft(before);
  });

  it('is the only route that accepts a form', async () => {
    for (const path of ['/clients/create', '/documents/create/tax-invoice', '/webhooks']) {
      const headers = { 'content-type': MULTIPART };
      expectError(await exchange(service.url, { method: 'POST', path, body: form(PDF), headers }), wrongType);
    }
  });
});

describe('an interrupted upload', () => {
  const whole = form(Buffer.concat([Buffer.from(PDF), randomBytes(2 * MIB)]));

  it.each([
    ['before anything of it', 0],
    ['within the headers of the part', 60],
    ['at the first bytes', 200],
    ['half way', whole.length / 2],
    ['before its last byte', whole.length - 1],
  ])('%s leaves nothing behind', async (_, length) => {
    const before = await everything();
    const slow = new SlowUpload(service.url, whole.length);
    await slow.send(whole.subarray(0, length));
    if (length > 100) await until('it to begin', async () => (await everything()).uploads === 1);
    if (length > MIB) await until('its bytes', () => storedIn(service).length > before.stored);
    slow.hangUp();
    await expectNothingLeft(before);
  });

  it('among twenty concurrent ones leaves nothing behind, and the others arrive', async () => {
    const before = await everything();
    const slow = Array.from({ length: 20 }, () => new SlowUpload(service.url, whole.length));
    await Promise.all(slow.map((one) => one.send(whole.subarray(0, whole.length / 2))));
    await until('all to begin', async () => (await everything()).uploads === 20);
    const others = Promise.all(Array.from({ length: 10 }, () => upload(service.url, PDF)));
    for (const one of slow) one.hangUp();
    await others;
    await expectNothingLeft({ ...before, rows: before.rows + 10, stored: before.stored + 10 });
  });

  it('succeeds if the rest arrives late', async () => {
    const slow = new SlowUpload(service.url, whole.length);
    await slow.send(whole.subarray(0, whole.length / 2));
    await until('it to begin', async () => (await everything()).uploads === 1);
    const answered = slow.answer();
    await slow.send(whole.subarray(whole.length / 2));
    expect(await answered).toMatch(/^HTTP\/1\.1 201 /);
    slow.hangUp();
  });

  describe('an upload interrupted by the end of the process', () => {
    /** Runs the worker's sweep for uploads of this age. */
    async function sweep(ageMs?: number): Promise<number> {
      const config = testConfig(service.database.url, { DATA_DIR: service.dataDir });
      const context = await openTestContext(config, [FilesModule]);
      try {
        return await context.get(RemoveAbandonedUploads).execute(undefined, ageMs);
      } finally {
        await context.close();
      }
    }

    async function killedHalfWay(before: Everything): Promise<void> {
      const { url, process } = await service.startApiProcess();
      const slow = new SlowUpload(url, whole.length);
      await slow.send(whole.subarray(0, whole.length / 2));
      await until('its bytes', () => storedIn(service).length > before.stored);
      await process.kill('SIGKILL');
      slow.hangUp();
      expect(await everything()).toEqual({ ...before, uploads: 1, stored: before.stored + 1 });
    }

    it('is removed by the sweep, which keeps uploads that may still be running', async () => {
      const before = await everything();
      await killedHalfWay(before);
      const slow = new SlowUpload(service.url, whole.length);
      await slow.send(whole.subarray(0, whole.length / 2));
      await until('it to begin', async () => (await everything()).uploads === 2);
      expect(await sweep()).toBe(0);
      await service.database.query(
        `update file_uploads set started_at = started_at - interval '61 minutes'
          where started_at = (select min(started_at) from file_uploads)`,
      );
      expect(await sweep()).toBe(1);
      expect(await everything()).toEqual({ ...before, uploads: 1, stored: before.stored + 1 });
      const answered = slow.answer();
      await slow.send(whole.subarray(whole.length / 2));
      expect(await answered).toMatch(/^HTTP\/1\.1 201 /);
      slow.hangUp();
      await expectNothingLeft({ ...before, rows: before.rows + 1, stored: before.stored + 1 });
    });

    it('is removed by the worker', async () => {
      const before = await everything();
      await killedHalfWay(before);
      await service.database.query(`update file_uploads set started_at = started_at - interval '61 minutes'`);
      await service.replaceWorker();
      await expectNothingLeft(before);
    });
  });
});

describe('with S3_BUCKET, in S3-compatible storage', () => {
  let place: string;
  let storage: S3rver;
  let s3: TestApiProcess;
  let port: number;

  beforeAll(async () => {
    place = fs.mkdtempSync(path.join(os.tmpdir(), 'counterfoil-s3-'));
    const options = { port: 0, address: '127.0.0.1', silent: true, directory: place };
    storage = new S3rver({ ...options, configureBuckets: [{ name: 'receipts', configs: [] }] });
    ({ port } = await storage.run());
    s3 = await service.startApiProcess({
      S3_BUCKET: 'receipts',
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
    });
  });

  afterAll(async () => {
    await storage.close();
    fs.rmSync(place, { recursive: true, force: true });
  });

  const objects = (): string[] => fs.readdirSync(path.join(place, 'receipts'));
  const openLink = ({ remoteUrl }: FileAnswer): Promise<Answer> => {
    const { pathname, search } = new URL(remoteUrl);
    const asked = { method: 'GET', path: pathname + search, headers: { authorization: null } };
    return exchange(s3.url, asked);
  };

  it('files are stored, opened by their links, and not on the disk', async () => {
    const before = await everything();
    const content = 'קבלה '.repeat(300_000);
    const file = await upload(s3.url, content);
    expect((await openLink(file)).text).toBe(content);
    expect(objects().length).toBeGreaterThan(0);
    expect(await everything()).toEqual({ ...before, rows: before.rows + 1 });
  });

  it('nothing is left of an upload that was interrupted, refused, or could not be stored', async () => {
    const before = { ...(await everything()), objects: objects() };
    const whole = form(randomBytes(2 * MIB));
    const slow = new SlowUpload(s3.url, whole.length);
    await slow.send(whole.subarray(0, whole.length / 2));
    await until('it to begin', async () => (await everything()).uploads === 1);
    slow.hangUp();
    expectError(await sendForm(s3.url, form(Buffer.alloc(MOST + 1))), tooLarge);
    await until('what is left to be cleared', async () => (await everything()).uploads === 0);
    expect({ ...(await everything()), objects: objects() }).toEqual(before);
  });

  it('an unavailable storage is 503, and works again later', async () => {
    const file = await upload(s3.url, PDF);
    await storage.close();
    const away: ExpectedError = { status: 503, code: 'UNAVAILABLE' };
    expectError(await openLink(file), away);
    expectError(await sendForm(s3.url, form(PDF)), away);
    const options = { port, address: '127.0.0.1', silent: true, directory: place };
    storage = new S3rver({ ...options, configureBuckets: [{ name: 'receipts', configs: [] }] });
    await storage.run();
    expect((await openLink(file)).text).toBe(PDF);
    expect((await sendForm(s3.url, form(PDF))).status).toBe(201);
    expect(s3.process.log).not.toContain('S3RVER');
  });
});

describe('many concurrent uploads', () => {
  it('all arrive, others are served meanwhile, and memory does not grow with their number', async () => {
    const bytes = Array.from({ length: 100 }, () => randomBytes(MIB));
    await upload(service.url, bytes[0]!);
    const memory = new MemoryWatch(service.api.pid);
    const uploads = Promise.all(bytes.map((one) => upload(service.url, one)));
    let served = 0;
    const stop = new AbortController();
    const others = (async () => {
      while (!stop.signal.aborted) {
        expect((await exchange(service.url, { method: 'GET', path: '/company' })).status).toBe(200);
        served += 1;
      }
    })();
    const files = await uploads;
    stop.abort();
    await others;
    expect(files.map((file) => file.sha256)).toEqual(bytes.map(sha256));
    expect(served).toBeGreaterThan(3);
    expect(memory.grownMib()).toBeLessThan(200);
  });
});
