import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEMO_KEY, type ServiceProcesses, until } from '@counterfoil/test-harness';
import sharp from 'sharp';
import { type ExpectedError, expectError } from './error-body';
import { forbidden, invalid, noKey, notFound } from './expected-errors';
import {
  api,
  contentOf,
  HTML,
  MOST,
  PDF,
  PNG,
  serveFiles,
  service,
  sha256,
  stranger,
  SVG,
} from './file-calls';
import { type Answer, exchange } from './http-exchange';
import { type FileAnswer, storedIn, upload } from './uploads';
import { UNKNOWN_ID } from './wire-values';

serveFiles();

/** Database connections shared by callers of one kind. */
const PLACES = 5;

const unknownFile = (field: string): ExpectedError => ({ status: 400, code: 'UNKNOWN_REFERENCE', field });

/** Requests a file with its link or with a key. */
const open = (url: string, headers: Readonly<Record<string, string | null>> = {}): Promise<Answer> => {
  const { pathname, search } = new URL(url);
  const own = { authorization: null, ...headers };
  return exchange(service.url, { method: 'GET', path: pathname + search, headers: own });
};

/** A link to the same content. It may be valid until another time, and then has another signature. */
const linkLike = ({ remoteUrl }: FileAnswer): string =>
  expect.stringContaining(remoteUrl.slice(0, remoteUrl.indexOf('expires='))) as string;

/** Returns the files that the API has open. */
function openFiles({ api: { pid } }: ServiceProcesses): string[] {
  return fs.readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [fs.readlinkSync(`/proc/${pid}/fd/${fd}`)];
    } catch {
      return [];
    }
  });
}

describe('GET /files', () => {
  it('returns the whole set for any window', async () => {
    const contents = ['a', 'b', 'c'];
    const files: FileAnswer[] = [];
    for (const content of contents) files.push(await upload(service.url, content, { key: stranger }));
    const shown = files.map((file) => ({ ...file, remoteUrl: linkLike(file) }));
    const list = (query: string) =>
      api.ok<{ data: FileAnswer[] }>('GET /files', { at: `/files${query}`, key: stranger });
    for (const query of ['', '?limit=1', '?page=2', '?offset=2&limit=abc']) {
      const answer = await list(query);
      expect(answer).toEqual({
        data: shown,
        pagination: { total: 3, limit: 3, offset: 0, hasMore: false, page: 1, pageSize: 3, totalPages: 1 },
      });
      const opened = await Promise.all(answer.data.map(({ remoteUrl }) => open(remoteUrl)));
      expect(opened.map(({ text }) => text)).toEqual(contents);
    }
  });

  it('is empty for a company without files', async () => {
    const fresh = await service.createCompany('Fresh');
    const pagination = { total: 0, limit: 0, offset: 0, hasMore: false, page: 1, pageSize: 0, totalPages: 0 };
    expect(await api.ok('GET /files', { key: fresh.ownerKey })).toEqual({ data: [], pagination });
  });

  it('stores the same file twice', async () => {
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
  ])('with the type %s cannot run anything with our origin', async (_, content, shown, type) => {
    const file = await upload(service.url, content, { fileName: 'קבלה.pdf' });
    const { status, headers } = await open(file.remoteUrl);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': type,
      'content-length': String(Buffer.byteLength(content)),
      'content-disposition': `${shown}; filename="????.pdf"; filename*=UTF-8''%D7%A7%D7%91%D7%9C%D7%94.pdf`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      etag: `"${sha256(content)}"`,
    });
    // The policy of a PDF has no `sandbox` and allows styles and plugins: the viewers of browsers need both.
    const rest =
      type === 'application/pdf' ? "base-uri 'none'; form-action 'none'" : "default-src 'none'; sandbox";
    const policy = `${rest}; frame-ancestors 'none'`;
    expect(headers['content-security-policy']).toBe(policy);
    const known = await open(file.remoteUrl, { 'if-none-match': '*' });
    expect(known.headers).toMatchObject({ 'content-security-policy': policy, 'cache-control': 'no-store' });
  });

  it('answers a HEAD without the bytes', async () => {
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

  it('is not sent again to a caller that has it', async () => {
    const { remoteUrl, sha256: digest } = await upload(service.url, PDF);
    for (const known of [`"${digest}"`, `W/"${digest}"`, `"x", "${digest}"`, '*']) {
      const { status, text, headers } = await open(remoteUrl, { 'if-none-match': known });
      expect({ status, text }).toEqual({ status: 304, text: '' });
      expect(headers.etag).toBe(`"${digest}"`);
    }
    expect((await open(remoteUrl, { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('can be opened with a key that may read, and with no other', async () => {
    const { id } = await upload(service.url, PDF);
    const viewer = await api.ok<{ key: string }>('POST /api-keys', {
      body: { role: 'viewer', userName: 'V' },
    });
    expect((await contentOf(id, viewer.key)).text).toBe(PDF);
    expectError(await contentOf(id, null), noKey);
    expectError(await contentOf(id, 'sk_test_unknown'), noKey);
    const theirs = await contentOf(id, stranger);
    expectError(theirs, notFound);
    const unknown = await contentOf(UNKNOWN_ID, stranger);
    expectError(unknown, notFound);
    expect(JSON.parse(theirs.text).error).toBe(JSON.parse(unknown.text).error);
    expectError(await contentOf('abc'), invalid('id'));
  });

  it('can be opened by its link, without a key and with an invalid one', async () => {
    const { remoteUrl } = await upload(service.url, PDF);
    expect((await open(remoteUrl)).text).toBe(PDF);
    for (const authorization of ['Bearer sk_test_unknown', 'Basic eDp5', `Bearer ${stranger}`]) {
      expect((await open(remoteUrl, { authorization })).text).toBe(PDF);
    }
  });

  it('cannot be opened by a changed link, or a link of another file, without a key', async () => {
    const [file, other] = [await upload(service.url, PDF), await upload(service.url, PNG)];
    const wrong = [
      file.remoteUrl.replace(`/files/${file.id}/`, `/files/${other.id}/`),
      file.remoteUrl.replace(`/files/${file.id}/`, `/files/${UNKNOWN_ID}/`),
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

  it('cannot be opened by its link after FILE_LINK_TTL, and a new link is returned', async () => {
    const { url } = await service.startApi({ FILE_LINK_TTL: '3s' });
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

  it('cannot be opened by a link to a file of another company that had its id before a restore', async () => {
    const lost = await upload(service.url, PDF);
    await service.database.query('delete from files where id = $1', [lost.id]);
    await service.database.query(`alter table files alter column id restart with ${lost.id}`);
    const file = await upload(service.url, PNG, { key: stranger });
    expect(file.id).toBe(lost.id);
    expectError(await open(lost.remoteUrl), notFound);
    expect((await open(file.remoteUrl)).status).toBe(200);
  });

  it('can be opened by a link from before a restart', async () => {
    const { remoteUrl } = await upload(service.url, PDF);
    await service.replaceApi();
    expect((await open(remoteUrl)).text).toBe(PDF);
  });

  it('is an internal error if bytes are missing', async () => {
    const spoil = [(file: string) => fs.rmSync(file), (file: string) => fs.truncateSync(file, 3)];
    for (const spoilt of spoil) {
      const before = new Set(storedIn(service));
      const { id, remoteUrl } = await upload(service.url, PDF);
      const [stored] = storedIn(service).filter((file) => !before.has(file));
      spoilt(stored!);
      expectError(await open(remoteUrl), { status: 500, code: 'INTERNAL' });
      await until('a line of the log', () =>
        service.logOf('api').includes(`bytes of file ${id}, under the key`),
      );
      expectError(await contentOf(id), { status: 500, code: 'INTERNAL' });
    }
  });

  it('is closed when the reader disconnects', async () => {
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

  it('can be read by 200 callers of a company at once, and by other companies', async () => {
    const { remoteUrl } = await upload(service.url, Buffer.alloc(MOST, 'x'));
    const { ownerKey } = await service.createCompany('Beside');
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
    expect(refused.headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(refused.headers['retry-after']).toMatch(/^\d+$/);
    expect((await open(theirs.remoteUrl)).text).toBe(PDF);
    for (const reader of readers) reader.destroy();
    await until('the places to be free', async () => (await open(remoteUrl)).status === 200, 30_000);
  });

  it.each([
    ['when strangers on public pages', 'payment_pages', true],
    ['and by strangers on public pages when links', 'files', false],
  ])('can be opened by its link %s wait for the database', async (_, locked, isLinkFree) => {
    const { remoteUrl } = await upload(service.url, PDF);
    const link = () => open(remoteUrl);
    const page = () => open(`${service.url}/gateway/sandbox/pages/${randomUUID()}`);
    const [free, blocked] = isLinkFree ? [link, page] : [page, link];
    const held = service.database.hold(`lock table ${locked} in access exclusive mode`);
    await held.ready;
    const waiting = Array.from({ length: 12 }, blocked);
    await until('as many as may to wait', async () => {
      const sql =
        "select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      const [row] = await service.database.query<{ n: number }>(sql);
      // Look-ups of links are batched, look-ups of pages are not.
      return row!.n === (isLinkFree ? PLACES : 1);
    });
    const answer = await Promise.race([free(), sleep(2_000, undefined, { ref: false })]);
    await held.release();
    expect(answer).toMatchObject({ status: isLinkFree ? 200 : 404 });
    for (const { status } of await Promise.all(waiting)) expect(status).toBe(isLinkFree ? 404 : 200);
  });

  it('leaves no signature in the log', async () => {
    const { remoteUrl } = await upload(service.url, PDF);
    const { pathname, searchParams } = new URL(remoteUrl);
    await open(remoteUrl);
    await open(`${remoteUrl}A`);
    await until('both lines', () => service.logOf('api').split(`"path":"${pathname}"`).length > 2);
    expect(service.logOf('api')).not.toContain(searchParams.get('signature')!.slice(0, 20));
    expect(service.logOf('api')).not.toContain('signature=');
  });
});

describe('a file of a vendor or client', () => {
  const VENDOR = { name: 'Acme', taxId: '514000000', type: 'COMPANY' };

  it.each([
    ['vendors', 'vendorId'],
    ['clients', 'clientId'],
  ])('can be its logo, in the record and the list of %s', async (area) => {
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

  it('can be the scan of its certificate', async () => {
    const { id } = await upload(service.url, PDF);
    const body = { ...VENDOR, withholdingFileId: id };
    const { visibleId } = await api.ok<{ visibleId: string }>('POST /vendors/create', { body });
    const read = { at: `/vendors/id/${visibleId}` };
    expect(await api.ok('GET /vendors/id/{visibleId}', read)).toMatchObject({
      withholdingFileId: id,
      logoFile: null,
    });
  });

  it('must belong to the company', async () => {
    const { id: theirs } = await upload(service.url, PNG, { key: stranger });
    const { visibleId } = await api.ok<{ visibleId: string }>('POST /vendors/create', { body: VENDOR });
    for (const id of [theirs, UNKNOWN_ID]) {
      for (const field of ['logoFileId', 'withholdingFileId']) {
        const created = await api.send('POST /vendors/create', { body: { ...VENDOR, [field]: id } });
        expectError(created, unknownFile(field));
        const edit = { at: `/vendors/edit/${visibleId}`, body: { [field]: id } };
        expectError(await api.send('PUT /vendors/edit/{visibleId}', edit), unknownFile(field));
      }
    }
  });
});

describe('a file of the company', () => {
  const ITEM = { description: 'Consulting', quantity: 1, unitPrice: 100 };
  const previewOf = async (body: object): Promise<string> => {
    const answer = await fetch(`${service.url}/documents/preview/html`, {
      method: 'POST',
      headers: { authorization: `Bearer ${DEMO_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(200);
    return answer.text();
  };
  const logoOf = async () =>
    (await api.ok<{ logoFile: { remoteUrl: string } | null }>('GET /company')).logoFile;

  it('can be its logo, which the pages of documents show, and which stays meanwhile', async () => {
    const bytes = await sharp({ create: { width: 40, height: 20, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const { id, fileName, mimeType } = await upload(service.url, bytes, { fileName: 'logo.png' });
    await api.ok('PUT /company', { body: { logoFileId: id } });
    const logo = await logoOf();
    expect(logo).toMatchObject({ id, fileName, mimeType });
    expect(Buffer.from(await (await fetch(logo!.remoteUrl)).arrayBuffer()).equals(bytes)).toBe(true);
    const client = { name: 'Client', taxId: '514000000', type: 'COMPANY' };
    const { clientId } = await api.ok<{ clientId: number }>('POST /clients/create', { body: client });
    const body = { type: 'QUOTE', entityId: clientId, items: [ITEM] };
    expect(await previewOf(body)).toContain(`src="data:image/png;base64,${bytes.toString('base64')}"`);
    const deletion = { at: `/files/${id}` };
    expectError(await api.send('DELETE /files/{id}', deletion), { status: 409, code: 'INVALID_STATE' });
    await api.ok('PUT /company', { body: { logoFileId: null } });
    expect(await logoOf()).toBeNull();
    expect(await previewOf(body)).not.toContain('<img');
    await api.ok('DELETE /files/{id}', deletion);
  });

  it('is no logo if it is another file, and the error says what a logo is', async () => {
    const { id } = await upload(service.url, PDF);
    const refused = await api.send('PUT /company', { body: { logoFileId: id } });
    expectError(refused, { status: 400, code: 'VALIDATION_FAILED' });
    expect(refused.text).toContain('must be a PNG or JPEG image in RGB or grey');
    expect(await logoOf()).toBeNull();
  });
});
