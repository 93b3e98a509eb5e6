import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { SweepUploads, FilesModule } from '@counterfoil/files';
import {
  DEMO_KEY,
  openTestContext,
  queueStores,
  startService,
  type TestApi,
  testConfig,
  type TestService,
  until,
} from '@counterfoil/test-harness';
import S3rver from 's3rver';
import { DescribedApi } from './described-api';
import { type ExpectedError, expectError } from './error-body';
import { type Answer, closeConnections, exchange, exchangeBytes } from './http-exchange';
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

const MIB = 1024 * 1024;
const MOST = 25 * MIB;
const PDF = '%PDF-1.7\n1 0 obj\nendobj\n';
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex');
const HTML = '<!doctype html><script>alert(1)</script>';
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const UNKNOWN = 999_999_999;
const FILE_PART = 'form-data; name="file"; filename="a.pdf"';

const invalid: ExpectedError = { status: 400, code: 'VALIDATION_FAILED' };
const invalidFile: ExpectedError = { ...invalid, field: 'file' };
const tooLarge: ExpectedError = { status: 413, code: 'PAYLOAD_TOO_LARGE' };
const wrongType: ExpectedError = { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' };
const noKey: ExpectedError = { status: 401, code: 'UNAUTHENTICATED' };
const forbidden: ExpectedError = { status: 403, code: 'FORBIDDEN' };
const notFound: ExpectedError = { status: 404, code: 'NOT_FOUND' };
const unknownFile = (field: string): ExpectedError => ({ status: 400, code: 'UNKNOWN_REFERENCE', field });

let service: TestService;
let api: DescribedApi;
/** The key of another company. */
let stranger: string;

beforeAll(async () => {
  service = await startService(queueStores()[0]!);
  api = await DescribedApi.of(service);
  ({ ownerKey: stranger } = await service.admin<{ ownerKey: string }>('company:create', '--name', 'Another'));
});

afterAll(async () => {
  closeConnections();
  await service.stop();
});

const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');
const send = (body: Buffer, headers: Readonly<Record<string, string | null>> = {}): Promise<Answer> =>
  sendForm(service.url, body, { headers });

/** What a file answers to who opens its link, or to who asks with a key. */
const open = (url: string, headers: Readonly<Record<string, string | null>> = {}): Promise<Answer> => {
  const { pathname, search } = new URL(url);
  const own = { authorization: null, ...headers };
  return exchange(service.url, { method: 'GET', path: pathname + search, headers: own });
};
const contentOf = (id: number | string, key: string | null = DEMO_KEY): Promise<Answer> =>
  exchange(service.url, {
    method: 'GET',
    path: `/files/${id}/content`,
    headers: { authorization: key === null ? null : `Bearer ${key}` },
  });

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

/** Waits until there is nothing but what there was. */
async function expectNothingLeft(before: Everything): Promise<void> {
  expect(before.uploads).toBe(0);
  await until('what is left to be cleared', async () => {
    const now = await everything();
    return now.uploads === 0 && now.stored === before.stored;
  });
  expect(await everything()).toEqual(before);
}

describe('POST /files/upload', () => {
  it('answers the file, which the list then shows, with its bytes', async () => {
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
  ])('tells %s from the bytes, whatever the name and the part say', async (mimeType, content, fileName) => {
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
    ['', 'file'],
  ])('takes %j as a name that is safe to show', async (written, fileName) => {
    const disposition = ['form-data; name="file"', written].filter((one) => one !== '').join('; ');
    const answer = await send(Buffer.concat([part(disposition, PDF), END]));
    expect(JSON.parse(answer.text)).toMatchObject({ success: true, file: { fileName } });
    const { fileId } = JSON.parse(answer.text) as { fileId: number };
    const { headers } = await contentOf(fileId);
    expect(headers['content-disposition']).toMatch(/^inline; filename=/);
  });

  it('takes fields beside the file, and ignores them', async () => {
    const field = part('form-data; name="vendorId"', '7');
    for (const parts of [
      [field, part(FILE_PART, PDF)],
      [part(FILE_PART, PDF), field, field],
    ]) {
      expect((await send(Buffer.concat([...parts, END]))).status).toBe(201);
    }
  });

  it('takes 25 MiB, and not one byte more', async () => {
    const before = await everything();
    const most = await upload(service.url, Buffer.alloc(MOST, 'x'));
    expect(most.size).toBe(MOST);
    const { text } = await contentOf(most.id);
    expect(text.length).toBe(MOST);
    expectError(await send(form(Buffer.alloc(MOST + 1, 'x'))), tooLarge);
    await expectNothingLeft({ ...before, rows: before.rows + 1, stored: before.stored + 1 });
  });

  it('refuses what is too large before it has come, when its length says so', async () => {
    const slow = new SlowUpload(service.url, 2_000 * MIB);
    expect(await slow.answer()).toMatch(/^HTTP\/1\.1 413 [^]*"code":"PAYLOAD_TOO_LARGE"/);
    slow.hangUp();
  });

  it('refuses what is too large while it comes, when nobody said how much it is, and lets the sender end', async () => {
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
  it.each<[string, Buffer, ExpectedError, string?]>([
    ['an empty file', form(''), invalidFile],
    ['no part at all', END, invalidFile],
    ['only fields', Buffer.concat([part('form-data; name="a"', 'x'), END]), invalidFile],
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
    ['no body', Buffer.alloc(0), invalid],
    ['text that is no form', Buffer.from(PDF), invalid],
    ['no end', good, invalid],
    ['half a boundary', Buffer.concat([good, END.subarray(0, 9)]), invalid],
    ['a part without a disposition', Buffer.concat([part(null, PDF), END]), invalid],
    ['another boundary', form(PDF), invalid, 'multipart/form-data; boundary=other'],
    ['no boundary', form(PDF), invalid, 'multipart/form-data'],
    ['an empty boundary', form(PDF), invalid, 'multipart/form-data; boundary='],
    ['JSON', Buffer.from('{"file":"x"}'), wrongType, 'application/json'],
    ['JSON that is none', Buffer.from('{'), wrongType, 'application/json'],
    ['bytes', Buffer.from(PDF), wrongType, 'application/pdf'],
    ['another kind of parts', form(PDF), wrongType, 'multipart/mixed; boundary=x'],
    ['a form of fields', Buffer.from('file=x'), wrongType, 'application/x-www-form-urlencoded'],
  ])('refuses %s, and keeps nothing', async (_, body, expected, type = MULTIPART) => {
    const before = await everything();
    expectError(await send(body, { 'content-type': type }), expected);
    await expectNothingLeft(before);
  });

  it('refuses a body without a type', async () => {
    expectError(await send(form(PDF), { 'content-type': null }), wrongType);
  });

  it('asks for the key and the role before it reads anything', async () => {
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

  it('is the only route that takes a form', async () => {
    for (const path of ['/clients/create', '/documents/create/tax-invoice', '/webhooks']) {
      const headers = { 'content-type': MULTIPART };
      expectError(await exchange(service.url, { method: 'POST', path, body: form(PDF), headers }), wrongType);
    }
  });
});

describe('an upload that is cut off', () => {
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

  it('of twenty at once leaves nothing behind, and the others arrive', async () => {
    const before = await everything();
    const slow = Array.from({ length: 20 }, () => new SlowUpload(service.url, whole.length));
    await Promise.all(slow.map((one) => one.send(whole.subarray(0, whole.length / 2))));
    await until('all to begin', async () => (await everything()).uploads === 20);
    const others = Promise.all(Array.from({ length: 10 }, () => upload(service.url, PDF)));
    for (const one of slow) one.hangUp();
    await others;
    await expectNothingLeft({ ...before, rows: before.rows + 10, stored: before.stored + 10 });
  });

  it('ends well when the rest comes later', async () => {
    const slow = new SlowUpload(service.url, whole.length);
    await slow.send(whole.subarray(0, whole.length / 2));
    await until('it to begin', async () => (await everything()).uploads === 1);
    const answered = slow.answer();
    await slow.send(whole.subarray(whole.length / 2));
    expect(await answered).toMatch(/^HTTP\/1\.1 201 /);
    slow.hangUp();
  });

  describe('by the end of the process', () => {
    /** Runs the sweep as the worker does, for uploads of this age. */
    async function sweep(ageMs?: number): Promise<number> {
      const config = testConfig(service.database.url, { DATA_DIR: service.dataDir });
      const context = await openTestContext(config, [FilesModule]);
      try {
        return await context.get(SweepUploads).execute(undefined, ageMs);
      } finally {
        await context.close();
      }
    }

    async function killedHalfWay(before: Everything): Promise<void> {
      const { url, process } = await service.startApi();
      const slow = new SlowUpload(url, whole.length);
      await slow.send(whole.subarray(0, whole.length / 2));
      await until('its bytes', () => storedIn(service).length > before.stored);
      await process.kill('SIGKILL');
      slow.hangUp();
      expect(await everything()).toEqual({ ...before, uploads: 1, stored: before.stored + 1 });
    }

    it('leaves nothing behind the sweep, which spares what may still be under way', async () => {
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

    it('is cleared by the worker', async () => {
      const before = await everything();
      await killedHalfWay(before);
      await service.database.query(`update file_uploads set started_at = started_at - interval '61 minutes'`);
      await service.replaceWorker();
      await expectNothingLeft(before);
    });
  });
});

describe('GET /files', () => {
  it('answers the whole set, whatever window is asked for', async () => {
    const files = [
      await upload(service.url, 'a', { key: stranger }),
      await upload(service.url, 'b', { key: stranger }),
      await upload(service.url, 'c', { key: stranger }),
    ];
    const list = (query: string) =>
      api.ok<{ data: FileAnswer[] }>('GET /files', { at: `/files${query}`, key: stranger });
    for (const query of ['', '?limit=1', '?page=2', '?offset=2&limit=abc']) {
      expect(await list(query)).toEqual({
        data: files,
        pagination: { total: 3, limit: 3, offset: 0, hasMore: false, page: 1, pageSize: 3, totalPages: 1 },
      });
    }
  });

  it('of a company without files is empty', async () => {
    const fresh = await service.admin<{ ownerKey: string }>('company:create', '--name', 'Fresh');
    const pagination = { total: 0, limit: 0, offset: 0, hasMore: false, page: 1, pageSize: 0, totalPages: 0 };
    expect(await api.ok('GET /files', { key: fresh.ownerKey })).toEqual({ data: [], pagination });
  });

  it('takes the same file twice for two', async () => {
    const [one, other] = [await upload(service.url, PDF), await upload(service.url, PDF)];
    expect(one.id).not.toBe(other.id);
    expect(one.sha256).toBe(other.sha256);
  });
});

describe('GET /files/:id/content', () => {
  it.each<[string, Buffer | string, string, string]>([
    ['a PDF', PDF, 'inline', 'application/pdf'],
    ['a PNG', PNG, 'inline', 'image/png'],
    ['plain text', 'קבלה', 'inline', 'text/plain; charset=utf-8'],
    ['HTML', HTML, 'attachment', 'text/html'],
    ['SVG', SVG, 'attachment', 'image/svg+xml'],
    ['XML', '<?xml version="1.0"?><a/>', 'attachment', 'application/xml'],
    ['bytes', Buffer.from([0, 1, 2]), 'attachment', 'application/octet-stream'],
  ])('of %s can do nothing in our name', async (_, content, shown, type) => {
    const file = await upload(service.url, content, { fileName: 'קבלה.pdf' });
    const { status, headers } = await open(file.remoteUrl);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': type,
      'content-length': String(Buffer.byteLength(content)),
      'content-disposition': `${shown}; filename="????.pdf"; filename*=UTF-8''%D7%A7%D7%91%D7%9C%D7%94.pdf`,
      'x-content-type-options': 'nosniff',
      'cache-control': expect.stringMatching(/^private, max-age=\d+$/),
      vary: 'authorization',
      etag: `"${sha256(content)}"`,
    });
    // Browsers show no PDF in a sandbox.
    const policy = type === 'application/pdf' ? undefined : "default-src 'none'; sandbox";
    expect(headers['content-security-policy']).toBe(policy);
  });

  it('is told to a HEAD without the bytes', async () => {
    const file = await upload(service.url, PDF);
    const { pathname, search } = new URL(file.remoteUrl);
    const asked = { method: 'HEAD', path: pathname + search, headers: { authorization: null } };
    const { status, headers, text } = await exchange(service.url, asked);
    expect({ status, text }).toEqual({ status: 200, text: '' });
    expect(headers).toMatchObject({
      'content-length': String(PDF.length),
      'content-type': 'application/pdf',
    });
  });

  it('is not sent again to who has it', async () => {
    const { remoteUrl, sha256: digest } = await upload(service.url, PDF);
    for (const known of [`"${digest}"`, `W/"${digest}"`, `"x", "${digest}"`, '*']) {
      const { status, text, headers } = await open(remoteUrl, { 'if-none-match': known });
      expect({ status, text }).toEqual({ status: 304, text: '' });
      expect(headers.etag).toBe(`"${digest}"`);
    }
    expect((await open(remoteUrl, { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('is opened by a key that may read, and by no other', async () => {
    const { id } = await upload(service.url, PDF);
    const viewer = await api.ok<{ key: string }>('POST /api-keys', {
      body: { role: 'viewer', userName: 'V' },
    });
    expect((await contentOf(id, viewer.key)).text).toBe(PDF);
    expectError(await contentOf(id, null), noKey);
    expectError(await contentOf(id, 'sk_test_unknown'), noKey);
    const theirs = await contentOf(id, stranger);
    expectError(theirs, notFound);
    const unknown = await contentOf(UNKNOWN, stranger);
    expectError(unknown, notFound);
    expect(JSON.parse(theirs.text).error).toBe(JSON.parse(unknown.text).error);
    expectError(await contentOf('abc'), { ...invalid, field: 'id' });
  });

  it('is opened by its link, without a key, and with one that is of no use', async () => {
    const { remoteUrl } = await upload(service.url, PDF);
    expect((await open(remoteUrl)).text).toBe(PDF);
    for (const authorization of ['Bearer sk_test_unknown', 'Basic eDp5', `Bearer ${stranger}`]) {
      expect((await open(remoteUrl, { authorization })).text).toBe(PDF);
    }
  });

  it('is not opened by a link that was changed, or is of another file, unless there is a key', async () => {
    const [file, other] = [await upload(service.url, PDF), await upload(service.url, PNG)];
    const wrong = [
      file.remoteUrl.replace(`/files/${file.id}/`, `/files/${other.id}/`),
      file.remoteUrl.replace(`/files/${file.id}/`, `/files/${UNKNOWN}/`),
      file.remoteUrl.replace(/expires=\d/, 'expires=9'),
      file.remoteUrl.replace(/expires=\d+&/, ''),
      file.remoteUrl.replace(/signature=.*/, 'signature='),
      `${file.remoteUrl}A`,
      `${file.remoteUrl}&signature=x`,
      file.remoteUrl.replace(/signature=./, (text) => `${text}x`),
    ];
    for (const url of wrong) {
      expectError(await open(url), forbidden);
      expectError(await open(url, { authorization: 'Bearer sk_test_unknown' }), noKey);
    }
    const { text } = await open(`${file.remoteUrl}A`, { authorization: `Bearer ${DEMO_KEY}` });
    expect(text).toBe(PDF);
    expectError(await open(`${file.remoteUrl}A`, { authorization: `Bearer ${stranger}` }), notFound);
  });

  it('is closed to its link after FILE_LINK_TTL, and a new one is given out', async () => {
    const { url } = await service.startApi({ FILE_LINK_TTL: '1s' });
    const { id, remoteUrl } = await upload(url, PDF);
    const at = new URL(remoteUrl);
    const ask = (path: string) => exchange(url, { method: 'GET', path, headers: { authorization: null } });
    expect((await ask(at.pathname + at.search)).text).toBe(PDF);
    const expired = await until('the link to expire', async () => {
      const answer = await ask(at.pathname + at.search);
      return answer.status !== 200 && answer;
    });
    expectError(expired, forbidden);
    const list = await exchange(url, { method: 'GET', path: '/files' });
    const { data } = JSON.parse(list.text) as { data: FileAnswer[] };
    const again = new URL(data.find((one) => one.id === id)!.remoteUrl);
    expect((await ask(again.pathname + again.search)).text).toBe(PDF);
  });

  it('is opened by a link from before a restart', async () => {
    const { remoteUrl } = await upload(service.url, PDF);
    await service.replaceApi();
    expect((await open(remoteUrl)).text).toBe(PDF);
  });

  it('is a fault of ours when the bytes are gone, or fewer than there were', async () => {
    const spoil = [(file: string) => fs.rmSync(file), (file: string) => fs.truncateSync(file, 3)];
    for (const spoilt of spoil) {
      const before = new Set(storedIn(service));
      const { id, remoteUrl } = await upload(service.url, PDF);
      const [stored] = storedIn(service).filter((file) => !before.has(file));
      spoilt(stored!);
      expectError(await open(remoteUrl), { status: 500, code: 'INTERNAL' });
      await until('a line of the log', () => service.api.log.includes(`of file ${id} the store has`));
      expectError(await contentOf(id), { status: 500, code: 'INTERNAL' });
    }
  });

  it('closes the file when whoever reads it hangs up', async () => {
    const before = new Set(storedIn(service));
    const { remoteUrl } = await upload(service.url, Buffer.alloc(MOST, 'x'));
    const [stored] = storedIn(service).filter((file) => !before.has(file));
    const opened = (): number => openFiles(service).filter((file) => file === stored).length;
    const readers = Array.from({ length: 5 }, () => http.get(remoteUrl));
    for (const reader of readers) {
      reader.on('error', () => undefined);
      reader.on('response', (response) => response.pause());
    }
    await until('all to be sent', () => opened() === 5);
    for (const reader of readers) reader.destroy();
    await until('all to be closed', () => opened() === 0);
  });

  it('is read by 200 of a company at once, whoever they are, and by others beside them', async () => {
    const { remoteUrl } = await upload(service.url, Buffer.alloc(MOST, 'x'));
    const { ownerKey } = await service.admin<{ ownerKey: string }>('company:create', '--name', 'Beside');
    const theirs = await upload(service.url, PDF, { key: ownerKey });
    let begun = 0;
    const readers = Array.from({ length: 200 }, () =>
      http.get(remoteUrl, { agent: false }, (response) => {
        begun += 1;
        response.pause();
      }),
    );
    for (const reader of readers) reader.on('error', () => undefined);
    await until('all to be read', () => begun === 200, 30_000);
    const refused = await open(remoteUrl);
    expectError(refused, { status: 503, code: 'UNAVAILABLE' });
    expect(refused.headers['retry-after']).toMatch(/^\d+$/);
    expect((await open(theirs.remoteUrl)).text).toBe(PDF);
    for (const reader of readers) reader.destroy();
    await until('the places to be free', async () => (await open(remoteUrl)).status === 200, 30_000);
  });

  it('leaves no signature in the log', async () => {
    const { remoteUrl } = await upload(service.url, PDF);
    const { pathname, searchParams } = new URL(remoteUrl);
    await open(remoteUrl);
    await open(`${remoteUrl}A`);
    await until('both lines', () => service.api.log.split(`"path":"${pathname}"`).length > 2);
    expect(service.api.log).not.toContain(searchParams.get('signature')!.slice(0, 20));
    expect(service.api.log).not.toContain('signature=');
  });
});

/** The files that the API has open. */
function openFiles({ api: { pid } }: TestService): string[] {
  return fs.readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [fs.readlinkSync(`/proc/${pid}/fd/${fd}`)];
    } catch {
      return [];
    }
  });
}

describe('a file of a vendor or a client', () => {
  const VENDOR = { name: 'Acme', taxId: '514000000', type: 'COMPANY' };

  it.each([
    ['vendors', 'vendorId'],
    ['clients', 'clientId'],
  ])('is its logo, in the record and the list of %s', async (area) => {
    const { id, fileName, mimeType } = await upload(service.url, PNG, { fileName: 'logo.png' });
    const logoFile = { id, fileName, mimeType, remoteUrl: expect.stringContaining(`/files/${id}/content?`) };
    const made = await api.ok<{ visibleId: string }>(`POST /${area}/create`, {
      body: { ...VENDOR, logoFileId: id },
    });
    const at = `/${area}/id/${made.visibleId}`;
    const record = await api.ok<{ logoFile: { remoteUrl: string } }>(`GET /${area}/id/{visibleId}`, { at });
    expect(record).toMatchObject({ logoFile });
    expect((await open(record.logoFile.remoteUrl)).status).toBe(200);
    const { data } = await api.ok<{ data: { visibleId: string }[] }>(`GET /${area}`, {
      at: `/${area}?limit=200`,
    });
    expect(data.find(({ visibleId }) => visibleId === made.visibleId)).toMatchObject({ logoFile });
    const edited = await upload(service.url, PNG);
    const edit = { at: `/${area}/edit/${made.visibleId}`, body: { logoFileId: edited.id } };
    await api.ok(`PUT /${area}/edit/{visibleId}`, edit);
    const { logoFile: now } = await api.ok<{ logoFile: unknown }>(`GET /${area}/id/{visibleId}`, { at });
    expect(now).toMatchObject({ id: edited.id });
  });

  it('may be the scan of its certificate', async () => {
    const { id } = await upload(service.url, PDF);
    const body = { ...VENDOR, withholdingFileId: id };
    const { visibleId } = await api.ok<{ visibleId: string }>('POST /vendors/create', { body });
    const read = { at: `/vendors/id/${visibleId}` };
    expect(await api.ok('GET /vendors/id/{visibleId}', read)).toMatchObject({
      withholdingFileId: id,
      logoFile: null,
    });
  });

  it("must be the company's own", async () => {
    const { id: theirs } = await upload(service.url, PNG, { key: stranger });
    const { visibleId } = await api.ok<{ visibleId: string }>('POST /vendors/create', { body: VENDOR });
    for (const id of [theirs, UNKNOWN]) {
      for (const field of ['logoFileId', 'withholdingFileId']) {
        const created = await api.send('POST /vendors/create', { body: { ...VENDOR, [field]: id } });
        expectError(created, unknownFile(field));
        const edit = { at: `/vendors/edit/${visibleId}`, body: { [field]: id } };
        expectError(await api.send('PUT /vendors/edit/{visibleId}', edit), unknownFile(field));
      }
    }
  });
});

describe('with S3_BUCKET, in S3-compatible storage', () => {
  let place: string;
  let storage: S3rver;
  let s3: TestApi;
  let port: number;

  beforeAll(async () => {
    place = fs.mkdtempSync(path.join(os.tmpdir(), 'counterfoil-s3-'));
    const options = { port: 0, address: '127.0.0.1', silent: true, directory: place };
    storage = new S3rver({ ...options, configureBuckets: [{ name: 'receipts', configs: [] }] });
    ({ port } = await storage.run());
    s3 = await service.startApi({
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

  it('files are kept, opened by their links, and nowhere on the disk', async () => {
    const before = await everything();
    const content = 'קבלה '.repeat(300_000);
    const file = await upload(s3.url, content);
    expect((await openLink(file)).text).toBe(content);
    expect(objects().length).toBeGreaterThan(0);
    expect(await everything()).toEqual({ ...before, rows: before.rows + 1 });
  });

  it('nothing is left of an upload that was cut off, refused, or could not be stored', async () => {
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

  it('what is away is 503, and comes back', async () => {
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

describe('many uploads at once', () => {
  it('all arrive, others are served meanwhile, and memory does not grow with them', async () => {
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
