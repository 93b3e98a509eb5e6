import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { POSTGRESQL, startProcesses, type ServiceProcesses, until } from '@counterfoil/test-harness';
import sharp from 'sharp';
import { sendOk } from './send-ok';

const SELLER = { name: 'אקמה בע״מ', taxId: '514000009', phoneNumber: '03-5555555' };
const CLIENT = { name: 'לקוח לדוגמה', taxId: '514000017', type: 'COMPANY' };

const ITEM = { description: 'ייעוץ', quantity: 2, unitPrice: 150.5 };

interface Issued {
  readonly id: number;
  readonly visibleId: string;
  readonly number: number;
}

describe.each([POSTGRESQL])('a file of a document, with the $kind queue', (store) => {
  let service: ServiceProcesses;
  let entityId: number;

  beforeAll(async () => {
    service = await startProcesses(store);
    await ok('PUT', '/company', SELLER);
    entityId = (await ok<{ clientId: number }>('POST', '/clients/create', CLIENT)).clientId;
  });
  afterAll(() => service?.stop());

  const ok = <T>(method: string, path: string, body?: object) => sendOk<T>(service, method, path, body);
  const issue = (type = 'tax-invoice', more: object = {}) =>
    ok<Issued>('POST', `/documents/create/${type}`, {
      entityId,
      items: [ITEM],
      ...more,
    });
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(service.url + path, { headers: { authorization: 'Bearer sk_test_demo_owner', ...headers } });
  const pdf = async (path: string): Promise<Buffer> => {
    const answer = await get(path);
    const content = Buffer.from(await answer.arrayBuffer());
    expect({ path, status: answer.status, start: content.toString('latin1', 0, 5) }).toEqual(
      expect.objectContaining({ status: 200, start: '%PDF-' }),
    );
    return content;
  };

  it('is made once, and has the same bytes for every caller, by both ids', async () => {
    const { id, visibleId, number } = await issue();
    const path = `/documents/id/${id}/pdf`;
    const answers = await Promise.all(Array.from({ length: 8 }, () => get(path)));
    const contents = await Promise.all(
      answers.map(async (answer) => Buffer.from(await answer.arrayBuffer())),
    );
    const sha256 = createHash('sha256').update(contents[0]!).digest('hex');
    for (const [index, answer] of answers.entries()) {
      expect(answer.status).toBe(200);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'application/pdf',
        'content-disposition': `inline; filename="tax-invoice-${number}.pdf"`,
        etag: `"${sha256}"`,
      });
      expect(contents[index]!.equals(contents[0]!)).toBe(true);
    }
    expect((await pdf(`/documents/id/${visibleId}/pdf`)).equals(contents[0]!)).toBe(true);
    const known = await get(path, { 'if-none-match': `"${sha256}"` });
    expect([known.status, await known.text()]).toEqual([304, '']);
    const rows = await service.database.query('select from renditions where document_id = $1', [id]);
    expect(rows).toHaveLength(1);
  });

  it('shows what was issued, and our own reader reads it back', async () => {
    // A proforma has no e-invoice in its PDF that could be read instead of the pages.
    const { id, number } = await issue('proforma', { issueDate: '2026-11-02' });
    const content = await pdf(`/documents/id/${id}/pdf`);
    const form = new FormData();
    form.append('file', new Blob([content], { type: 'application/pdf' }), 'invoice.pdf');
    const uploaded = await fetch(`${service.url}/files/upload`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk_test_demo_owner' },
      body: form,
    });
    const { fileId } = (await uploaded.json()) as { fileId: number };
    const read = await ok<object>('GET', `/expenses/extract-from-file/${fileId}`);
    expect(read).toMatchObject({
      expenseData: {
        vendorName: 'אקמה בע"מ',
        vendorTaxId: SELLER.taxId,
        documentNumber: String(number),
        date: '2026-11-02',
        currency: 'ILS',
        total: 355.18,
        tax: 54.18,
      },
    });
  });

  it('is another one as a copy, in another language, or of a cancelled document', async () => {
    const payments = [{ method: 'CASH', amount: 50 }];
    const { id, visibleId } = await issue('receipt', { items: [], payments });
    const path = `/documents/id/${id}/pdf`;
    const original = await pdf(path);
    const chosen = ['stamp=copy', 'language=en', 'language=both'];
    const others = await Promise.all(chosen.map((choice) => pdf(`${path}?${choice}`)));
    await service.request('POST', `/documents/cancel/${visibleId}`, { reason: 'mistake' });
    others.push(await pdf(path));
    const all = [original, ...others].map((content) => content.toString('latin1'));
    expect(new Set(all).size).toBe(5);
    // The files that were handed over are kept.
    const rows = await service.database.query('select from renditions where document_id = $1', [id]);
    expect(rows).toHaveLength(5);
  });

  it('does not change when the company or the client does', async () => {
    const { id } = await issue();
    const renamed = (name: string) =>
      service.database.query('update entities set name = $1 where id = $2', [name, entityId]);
    const before = await pdf(`/documents/id/${id}/pdf`);
    await ok('PUT', '/company', { name: 'Renamed' });
    await renamed('Another');
    const after = await pdf(`/documents/id/${id}/pdf?stamp=copy`);
    await ok('PUT', '/company', { name: SELLER.name });
    await renamed(CLIENT.name);
    await service.database.query('delete from renditions where document_id = $1', [id]);
    expect((await pdf(`/documents/id/${id}/pdf`)).equals(before)).toBe(true);
    expect((await pdf(`/documents/id/${id}/pdf?stamp=copy`)).equals(after)).toBe(true);
  });

  describe('as HTML', () => {
    const html = async (path: string): Promise<string> => {
      const answer = await get(path);
      expect({ path, status: answer.status }).toEqual({ path, status: 200 });
      return answer.text();
    };

    it('is made once by a worker, and has the same bytes for every caller, by both ids', async () => {
      const { id, visibleId, number } = await issue('order');
      const path = `/documents/id/${id}/html`;
      const answers = await Promise.all(Array.from({ length: 8 }, () => get(path)));
      const pages = await Promise.all(answers.map((answer) => answer.text()));
      const sha256 = createHash('sha256').update(pages[0]!).digest('hex');
      for (const [index, { headers }] of answers.entries()) {
        expect(Object.fromEntries(headers)).toMatchObject({
          'content-type': 'text/html; charset=utf-8',
          'content-disposition': `inline; filename="order-${number}.html"`,
          'content-security-policy': expect.stringMatching(/^default-src 'none'; style-src 'unsafe-inline';/),
          'x-content-type-options': 'nosniff',
          'referrer-policy': 'no-referrer',
          etag: `"${sha256}"`,
        });
        expect(pages[index]).toBe(pages[0]);
      }
      expect(await html(`/documents/id/${visibleId}/html`)).toBe(pages[0]);
      const known = await get(path, { 'if-none-match': `"${sha256}"` });
      expect([known.status, await known.text()]).toEqual([304, '']);
      const rows = await service.database.query(
        `select variant, encode(sha256, 'hex') as sha256 from renditions where document_id = $1`,
        [id],
      );
      expect(rows).toEqual([{ variant: 'html.original.he', sha256 }]);
      await service.database.query('delete from renditions where document_id = $1', [id]);
      expect(await html(path)).toBe(pages[0]);
    });

    it('shows what was issued, in the language and with the stamp that the caller asks for', async () => {
      const { id, number } = await issue('tax-invoice', { notes: '<script>alert(1)</script>' });
      const path = `/documents/id/${id}/html`;
      const hebrew = await html(path);
      for (const text of [SELLER.taxId, SELLER.phoneNumber, CLIENT.name, ITEM.description, '355.18', 'מקור'])
        expect(hebrew).toContain(text);
      expect(hebrew).toContain('<html lang="he" dir="rtl">');
      expect(hebrew).toContain(`<h1>חשבונית מס מס׳ ${number}</h1>`);
      expect(hebrew).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
      expect(hebrew).not.toContain('<script');
      const copy = await html(`${path}?stamp=copy&language=en`);
      expect(copy).toContain('<html lang="en" dir="ltr">');
      expect(copy).toContain('<p class="stamp">Copy</p>');
    });

    it('does not change when the company does, and is another page of a cancelled document', async () => {
      const payments = [{ method: 'CASH', amount: 50 }];
      const { id, visibleId } = await issue('receipt', { items: [], payments });
      const path = `/documents/id/${id}/html`;
      await ok('PUT', '/company', { name: 'Renamed' });
      expect(await html(path)).not.toContain('Renamed');
      await ok('PUT', '/company', { name: SELLER.name });
      await service.request('POST', `/documents/cancel/${visibleId}`, { reason: 'mistake & more' });
      expect(await html(path)).toContain('mistake &amp; more');
    });

    it('has headers without bytes for HEAD', async () => {
      const { id } = await issue('order');
      const page = await html(`/documents/id/${id}/html`);
      const answer = await fetch(`${service.url}/documents/id/${id}/html`, {
        method: 'HEAD',
        headers: { authorization: 'Bearer sk_test_demo_owner' },
      });
      expect(answer.headers.get('content-length')).toBe(String(Buffer.byteLength(page)));
      expect(await answer.text()).toBe('');
    });
  });

  it.each([
    ['/documents/id/999999/html', 404, 'NOT_FOUND'],
    ['/documents/id/1/html?stamp=draft', 400, 'VALIDATION_FAILED'],
    ['/documents/id/999999/pdf', 404, 'NOT_FOUND'],
    ['/documents/id/00000000-0000-4000-8000-000000000000/pdf', 404, 'NOT_FOUND'],
    ['/documents/id/none/pdf', 400, 'VALIDATION_FAILED'],
    ['/documents/id/1/pdf?stamp=draft', 400, 'VALIDATION_FAILED'],
    ['/documents/id/1/pdf?language=fr', 400, 'VALIDATION_FAILED'],
  ])('is refused for %s', async (path, status, code) => {
    const answer = await get(path);
    expect([answer.status, await answer.json()]).toEqual([status, expect.objectContaining({ code })]);
  });

  it('shows the logo of the day of the issue, as PDF, as page and by a link', async () => {
    const image = await sharp({ create: { width: 90, height: 45, channels: 3, background: '#0b6e4f' } })
      .png()
      .toBuffer();
    const form = new FormData();
    form.append('file', new Blob([image], { type: 'image/png' }), 'logo.png');
    const uploaded = await fetch(`${service.url}/files/upload`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk_test_demo_owner' },
      body: form,
    });
    const { fileId: logoFileId } = (await uploaded.json()) as { fileId: number };
    await ok('PUT', '/company', { logoFileId });
    const { id } = await issue();
    await ok('PUT', '/company', { logoFileId: null });
    const without = await issue();
    const shown = `src="data:image/png;base64,${image.toString('base64')}"`;
    for (const [document, has] of [
      [id, true],
      [without.id, false],
    ] as const) {
      const content = (await pdf(`/documents/id/${document}/pdf`)).toString('latin1');
      expect(/\/Subtype \/Image/.test(content)).toBe(has);
      expect((await (await get(`/documents/id/${document}/html`)).text()).includes(shown)).toBe(has);
      const { url } = await ok<{ url: string }>('POST', `/documents/id/${document}/share`, {});
      expect((await (await fetch(url)).text()).includes(shown)).toBe(has);
    }
  });

  it('is not that of another company, whichever id is asked for', async () => {
    const { id, visibleId } = await issue();
    await pdf(`/documents/id/${id}/pdf`);
    const { ownerKey } = await service.createCompany('Other');
    const files = ['pdf', 'html'].flatMap((format) => [`${id}/${format}`, `${visibleId}/${format}`]);
    for (const at of files.map((file) => `/documents/id/${file}`))
      expect((await get(at, { authorization: `Bearer ${ownerKey}` })).status).toBe(404);
  });

  it('is that of the present state, whatever the allocation number looks like', async () => {
    const { id, visibleId } = await issue();
    const before = await pdf(`/documents/id/${id}/pdf`);
    const assigned = { approvalNumber: 'A:1/2' };
    await service.request('POST', `/documents/approval-number/${visibleId}`, assigned);
    expect((await pdf(`/documents/id/${id}/pdf`)).equals(before)).toBe(false);
  });

  it('of a document whose 1,000 items have 250 lines each is made in time', async () => {
    const item = { description: 'a\n'.repeat(250).trimEnd(), quantity: 1, unitPrice: 1 };
    const { id } = await issue('quote', { items: Array.from({ length: 1_000 }, () => item) });
    await pdf(`/documents/id/${id}/pdf`);
    expect((await get(`/documents/id/${id}/pdf?stamp=copy`)).status).toBe(200);
  });

  it('is made by another worker when the one that makes it is killed', async () => {
    const { id } = await issue('quote', { items: Array.from({ length: 1_000 }, () => ITEM) });
    const waiting = get(`/documents/id/${id}/pdf`);
    await sleep(300);
    await service.worker.kill('SIGKILL');
    await service.replaceWorker();
    // On a slow machine, the time of the caller may be over before the worker has started. The file is made all the same.
    expect([200, 503]).toContain((await waiting).status);
    await until('the file', async () => (await get(`/documents/id/${id}/pdf`)).status === 200, 30_000);
  });

  it('waits for no more than two long documents of another company', async () => {
    const { ownerKey: key } = await service.createCompany('Other');
    const asOther = async <T>(path: string, body: object) =>
      (await service.request<T>('POST', path, body, key)).body;
    const other = await asOther<{ clientId: number }>('/clients/create', CLIENT);
    const items = Array.from({ length: 1_000 }, () => ITEM);
    const long = await Promise.all(Array.from({ length: 12 }, () => issue('quote', { items })));
    const longMade = async () => {
      const ids = long.map(({ id }) => id);
      return (await service.database.query('select from renditions where document_id = any($1)', [ids]))
        .length;
    };
    const choices = ['original', 'copy'].flatMap((stamp) =>
      ['he', 'en', 'both'].map((language) => `stamp=${stamp}&language=${language}`),
    );
    const outcomes = new Set<string>();
    let goesOn = true;
    const askForLong = async () => {
      for (const choice of choices) {
        if (!goesOn) return;
        const answers = await Promise.all(long.map(({ id }) => get(`/documents/id/${id}/pdf?${choice}`)));
        for (const { status, headers } of answers) outcomes.add(`${status} ${headers.get('retry-after')}`);
      }
    };
    const asked = askForLong();
    await until('the first of the long documents', async () => (await longMade()) > 0, 30_000);
    const waits: { status: number; longMade: number }[] = [];
    for (let count = 0; count < 4; count++) {
      const small = { entityId: other.clientId, items: [ITEM] };
      const { id } = await asOther<Issued>('/documents/create/quote', small);
      const before = await longMade();
      const { status } = await get(`/documents/id/${id}/pdf`, { authorization: `Bearer ${key}` });
      waits.push({ status, longMade: (await longMade()) - before });
    }
    goesOn = false;
    await asked;
    expect(waits.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(Math.max(...waits.map((wait) => wait.longMade))).toBeLessThanOrEqual(2);
    expect([...outcomes].sort()).toEqual(['200 null', '503 5']);
  });

  it('is not made for a caller who has given up, but for one who still waits', async () => {
    const [abandoned, awaited] = [await issue(), await issue()];
    const ask = async ({ id }: Issued) => (await get(`/documents/id/${id}/pdf`)).status;
    // Callers of one process share a wait.
    const other = await service.startApiProcess();
    service.worker.pause();
    const first = [ask(abandoned), ask(awaited)];
    // So that it signals again after the others have given up.
    await sleep(4_000);
    const authorization = 'Bearer sk_test_demo_owner';
    const last = fetch(`${other.url}/documents/id/${awaited.id}/pdf`, { headers: { authorization } });
    const joined = ask(awaited);
    expect(await joined).toBe(503);
    expect(await Promise.all(first)).toEqual([503, 503]);
    service.worker.resume();
    expect((await last).status).toBe(200);
    const made = 'select from renditions where document_id = $1';
    expect(await service.database.query(made, [abandoned.id])).toEqual([]);
  });

  it('cannot be made without a worker, and the caller is told to try again', async () => {
    const { id } = await issue();
    await service.worker.kill('SIGKILL');
    const answer = await get(`/documents/id/${id}/pdf`);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    await service.replaceWorker();
    await pdf(`/documents/id/${id}/pdf`);
  });
});
