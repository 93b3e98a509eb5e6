import {
  oneQueueStore,
  startProcesses,
  type TestApi,
  type ServiceProcesses,
  until,
} from '@counterfoil/test-harness';
import { sendOk } from './send-ok';

const CLIENT = { name: 'Blue Lantern Books', taxId: '514000017', type: 'COMPANY' };
const ITEM = { description: 'Consulting', quantity: 2, unitPrice: 100 };
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const LIVE_MAX = 20;

interface Issued {
  readonly id: number;
  readonly visibleId: string;
  readonly number: number;
}

interface Share {
  readonly id: number;
  readonly url: string;
  readonly expiresAt: string;
}

interface ListedShare {
  readonly id: number;
  readonly views: number;
  readonly revokedAt: string | null;
  readonly firstViewedAt: string | null;
  readonly lastViewedAt: string | null;
}

const dayOf = (at: Date) => new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Jerusalem' }).format(at);
const TODAY = dayOf(new Date());
const daysAgo = (days: number) => dayOf(new Date(Date.now() - days * 86_400_000));

/** On one queue store: document-files.e2e makes files over both. */
describe.each(oneQueueStore())('a link to a document, with the $kind queue', (store) => {
  let service: ServiceProcesses;
  let other: TestApi;
  let entityId: number;

  beforeAll(async () => {
    service = await startProcesses(store, { RATE_LIMIT_SHARED_PAGES: '100000/1m' });
    other = await service.startApi();
    entityId = (await ok<{ clientId: number }>('POST', '/clients/create', CLIENT)).clientId;
  });
  afterAll(() => service?.stop());

  const ok = <T>(method: string, path: string, body?: object) => sendOk<T>(service, method, path, body);
  const issue = (type = 'tax-invoice', more: object = {}) =>
    ok<Issued>('POST', `/documents/create/${type}`, { entityId, items: [ITEM], ...more });
  const share = ({ id }: { readonly id: number | string }, body: object = {}) =>
    ok<Share>('POST', `/documents/id/${id}/share`, body);
  const shares = async ({ id }: Issued) =>
    (await ok<{ data: readonly ListedShare[] }>('GET', `/documents/id/${id}/shares`)).data;
  const open = (url: string, headers: Readonly<Record<string, string>> = BROWSER) => fetch(url, { headers });
  const page = async (url: string): Promise<string> => {
    const answer = await open(url);
    expect(answer.status).toBe(200);
    return answer.text();
  };
  const viewedEvents = ({ visibleId }: Issued) =>
    service.database.query<{ body: string }>(
      `select body from outbox_events where type = 'document.viewed' and body like $1 order by sequence`,
      [`%${visibleId}%`],
    );
  const onOther = (url: string) => url.replace(service.url, other.url);

  it('opens a page with the document and its state, without a key, by both ids', async () => {
    const invoice = await issue('tax-invoice', { dueDate: TODAY, notes: '<script>alert(1)</script>' });
    const { url, expiresAt } = await share({ id: invoice.visibleId }, { expiresInDays: 2 });
    expect(url).toMatch(new RegExp(`^http://[^/]+/d/[\\w-]{74}$`));
    expect(Math.abs(Date.parse(expiresAt) - Date.now() - 2 * 86_400_000)).toBeLessThan(60_000);
    const answer = await open(url);
    const html = await answer.text();
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; style-src 'sha256-[^']+'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
      ),
      'x-robots-tag': 'noindex, nofollow',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'ratelimit-policy': '"shared-pages";q=100000;w=60',
    });
    for (const text of ['Due on', TODAY, 'To pay', '236.00', CLIENT.name, ITEM.description])
      expect(html).toContain(text);
    expect(html).toContain(`<h1>Tax invoice no. ${invoice.number}</h1>`);
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(html).not.toContain('<script');
    expect(html.match(/\s(?:src|href|action)="[^"]*"/g)).toEqual([` href="${url.split('/d/')[1]}/pdf"`]);
  });

  it('shows the document and its state in both languages', async () => {
    const html = await page((await share(await issue(), { language: 'both' })).url);
    expect(html).toContain('<html lang="he" dir="rtl">');
    for (const words of ['חשבונית מס / Tax invoice', 'לתשלום / To pay', 'הורדה כ־PDF / Download as PDF'])
      expect(html).toContain(words);
  });

  it('leads to the PDF, which is the stored file', async () => {
    const invoice = await issue();
    const { url } = await share(invoice, { stamp: 'copy', language: 'en' });
    const answer = await open(`${url}/pdf`);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `inline; filename="tax-invoice-${invoice.number}.pdf"`,
      'x-robots-tag': 'noindex, nofollow',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'cross-origin-resource-policy': 'same-origin',
    });
    const own = await fetch(`${service.url}/documents/id/${invoice.id}/pdf?stamp=copy&language=en`, {
      headers: { authorization: 'Bearer sk_test_demo_owner' },
    });
    expect(bytes.equals(Buffer.from(await own.arrayBuffer()))).toBe(true);
    const etag = answer.headers.get('etag')!;
    expect((await open(`${url}/pdf`, { 'if-none-match': etag })).status).toBe(304);
  });

  describe('shows the state today', () => {
    const stateOf = async (document: Issued, language = 'en') => {
      const html = await page((await share(document, { language })).url);
      const [, aside = ''] = /<aside class="share"[^>]*>(.*?)<\/aside>/s.exec(html) ?? [];
      return aside
        .replace(/<[^>]*>/g, '')
        .trim()
        .split('\n');
    };

    it('overdue, partly paid, then paid', async () => {
      const dates = { issueDate: daysAgo(9), dueDate: daysAgo(2) };
      const invoice = await issue('tax-invoice', dates);
      expect((await stateOf(invoice)).slice(0, 2)).toEqual([
        `Overdue since ${daysAgo(2)}`,
        'To pay: 236.00 ILS',
      ]);
      const pay = (amount: number) =>
        issue('receipt', {
          items: undefined,
          payments: [{ method: 'CASH', amount }],
          allocations: [{ documentId: invoice.id, amount }],
        });
      await pay(100);
      expect((await stateOf(invoice)).slice(1, 3)).toEqual([
        'To pay: 136.00 ILS',
        'Paid or credited so far: 100.00 ILS',
      ]);
      await pay(136);
      expect((await stateOf(invoice)).slice(0, 2)).toEqual(['Paid', 'Download as PDF']);
    });

    it('closed, and cancelled with the document as it is then', async () => {
      const order = await issue('order');
      expect((await stateOf(order))[0]).toBe('Open');
      await service.request('POST', `/documents/close/${order.visibleId}`);
      expect((await stateOf(order))[0]).toBe('Closed');
      const receipt = await issue('receipt', { items: undefined, payments: [{ method: 'CASH', amount: 5 }] });
      expect((await stateOf(receipt))[0]).toBe('Download as PDF');
      await service.request('POST', `/documents/cancel/${receipt.visibleId}`, { reason: 'mistake' });
      expect((await stateOf(receipt))[0]).toBe('Cancelled');
    });

    it('in Hebrew', async () => {
      const invoice = await issue('tax-invoice', { dueDate: TODAY });
      const [standing] = await stateOf(invoice, 'he');
      expect(standing).toBe(`לתשלום עד ${TODAY.split('-').reverse().join('/')}`);
    });
  });

  describe('that does not open', () => {
    const expectPage = async (url: string, texts: readonly string[]) => {
      for (const at of [url, `${url}/pdf`, onOther(url)]) {
        const answer = await open(at);
        const html = await answer.text();
        expect({ at, status: answer.status }).toEqual({ at, status: 404 });
        expect(Object.fromEntries(answer.headers)).toMatchObject({
          'content-type': 'text/html; charset=utf-8',
          'x-robots-tag': 'noindex, nofollow',
          'referrer-policy': 'no-referrer',
          'cache-control': 'no-store',
        });
        for (const text of texts) expect(html).toContain(text);
        expect(html).not.toContain(CLIENT.name);
      }
    };

    it('is told apart if it was revoked, on every process at once', async () => {
      const invoice = await issue();
      const [kept, revoked] = [await share(invoice), await share(invoice)];
      await Promise.all([page(revoked.url), page(onOther(revoked.url))]);
      await ok('DELETE', `/documents/id/${invoice.id}/shares/${revoked.id}`);
      await expectPage(revoked.url, ['revoked by its sender', 'בוטל']);
      await ok('DELETE', `/documents/id/${invoice.visibleId}/shares/${revoked.id}`);
      await page(kept.url);
    });

    it('is told apart if it has expired, by the clock of the database', async () => {
      const invoice = await issue();
      const { id, url } = await share(invoice);
      await service.database.query(
        `update document_shares set expires_at = now() - interval '1 second' where id = $1`,
        [id],
      );
      await expectPage(url, ['has expired', 'פג']);
    });

    it('gets one answer if it is unknown or forged', async () => {
      const { id, url } = await share(await issue());
      const token = url.split('/d/')[1]!;
      const forged = `${service.url}/d/${token.slice(0, -4)}AAAA`;
      await expectPage(forged, ['no document here']);
      await expectPage(`${service.url}/d/none`, ['no document here']);
      await service.database.query('delete from document_shares where id = $1', [id]);
      const bodies = await Promise.all([forged, url].map(async (at) => (await open(at)).text()));
      expect(new Set(bodies).size).toBe(1);
    });

    it('is an error of the API for a program', async () => {
      const answer = await open(`${service.url}/d/none`, { accept: '*/*' });
      expect([answer.status, await answer.json()]).toEqual([
        404,
        expect.objectContaining({ success: false, code: 'NOT_FOUND', error: 'no such link' }),
      ]);
    });

    it('is not that of a link to a file, which another key signs', async () => {
      const fileId = await service.upload('text');
      const { data } = await ok<{ data: { id: number; remoteUrl: string }[] }>('GET', '/files');
      const { remoteUrl } = data.find((file) => file.id === fileId)!;
      const signature = new URL(remoteUrl).searchParams.get('signature')!;
      expect((await open(`${service.url}/d/${signature}`)).status).toBe(404);
    });
  });

  describe('views', () => {
    it('fifty at once are one event, and each is counted', async () => {
      const invoice = await issue();
      const { url } = await share(invoice);
      const views = Array.from({ length: 50 }, (_, at) => open(at % 2 === 0 ? url : onOther(url)));
      for (const { status } of await Promise.all(views)) expect(status).toBe(200);
      expect(await shares(invoice)).toMatchObject([{ views: 50 }]);
      const events = await viewedEvents(invoice);
      expect(events).toHaveLength(1);
      expect(JSON.parse(events[0]!.body)).toMatchObject({
        data: { document: { id: invoice.visibleId }, share: { views: expect.any(Number) } },
      });
    });

    it('are reported again after an hour, for each link', async () => {
      const invoice = await issue();
      const [one, another] = [await share(invoice), await share(invoice)];
      await page(one.url);
      await page(one.url);
      await page(another.url);
      expect(await viewedEvents(invoice)).toHaveLength(2);
      await service.database.query(
        `update document_share_views set reported_at = reported_at - interval '1 hour' where share_id = $1`,
        [one.id],
      );
      await page(one.url);
      const events = await viewedEvents(invoice);
      expect(events).toHaveLength(3);
      expect(JSON.parse(events[2]!.body)).toMatchObject({ data: { share: { id: one.id, views: 3 } } });
    });

    it('are neither HEAD requests nor what a browser fetches in advance, which is refused', async () => {
      const invoice = await issue();
      const { url } = await share(invoice);
      const head = await fetch(url, { method: 'HEAD', headers: BROWSER });
      expect([head.status, await head.text()]).toEqual([200, '']);
      const advance = [
        ['sec-purpose', 'prefetch;prerender'],
        ['sec-purpose', 'prefetch'],
        ['purpose', 'prefetch'],
        ['x-purpose', 'preview'],
        ['x-moz', 'prefetch'],
      ] as const;
      for (const [header, value] of advance)
        for (const at of [url, `${url}/pdf`]) {
          const answer = await open(at, { ...BROWSER, [header]: value });
          expect([answer.status, answer.headers.get('cache-control')]).toEqual([503, 'no-store']);
          expect(await answer.text()).not.toContain(CLIENT.name);
        }
      expect(await shares(invoice)).toMatchObject([{ views: 0, firstViewedAt: null, lastViewedAt: null }]);
      expect(await viewedEvents(invoice)).toEqual([]);
      await page(url);
      const [{ firstViewedAt }] = (await shares(invoice)) as [ListedShare];
      expect(Math.abs(Date.parse(firstViewedAt!) - Date.now())).toBeLessThan(60_000);
    });
  });

  describe('of the company', () => {
    it('is listed without what opens it', async () => {
      const invoice = await issue();
      const { id, url } = await share(invoice, { language: 'he' });
      const [listed] = await shares(invoice);
      expect(listed).toMatchObject({ id, stamp: 'original', language: 'he', revokedAt: null, views: 0 });
      expect(JSON.stringify(listed)).not.toContain(url.split('/d/')[1]);
    });

    it('is made once for each key, with the same link, and the database has none', async () => {
      const invoice = await issue();
      const send = () =>
        fetch(`${service.url}/documents/id/${invoice.id}/share`, {
          method: 'POST',
          headers: {
            ...{ authorization: 'Bearer sk_test_demo_owner', 'content-type': 'application/json' },
            'idempotency-key': `share-${invoice.id}`,
          },
          body: '{}',
        });
      const first = await send();
      const text = await first.text();
      expect(first.status).toBe(201);
      const again = await send();
      expect([again.status, again.headers.get('idempotent-replay'), await again.text()]).toEqual([
        200,
        'true',
        text,
      ]);
      const { url } = JSON.parse(text) as Share;
      await page(url);
      expect(await shares(invoice)).toHaveLength(1);
      const token = url.split('/d/')[1]!;
      const stored = await service.database.query<{ text: string }>(
        `select response as text from idempotency_keys union all select to_jsonb(s)::text from document_shares s
         union all select to_jsonb(a)::text from audit_staged a union all select to_jsonb(a)::text from audit_log a`,
      );
      for (const part of [token, token.slice(-43)])
        expect(stored.filter(({ text: row }) => row?.includes(part))).toEqual([]);
    });

    it('is refused beyond twenty that are open, also for calls at once', async () => {
      const invoice = await issue();
      const made = await Promise.all(
        Array.from({ length: LIVE_MAX + 5 }, () =>
          service.request<Share>('POST', `/documents/id/${invoice.id}/share`, {}),
        ),
      );
      expect(made.filter(({ status }) => status === 201)).toHaveLength(LIVE_MAX);
      const refused = made.find(({ status }) => status !== 201)!;
      expect(refused).toMatchObject({ status: 409, body: { code: 'LIMIT_REACHED' } });
      const [{ id }] = (await shares(invoice)) as [ListedShare];
      await ok('DELETE', `/documents/id/${invoice.id}/shares/${id}`);
      await share(invoice);
    });

    it.each([
      [{ expiresInDays: 0 }, 'expiresInDays'],
      [{ expiresInDays: 367 }, 'expiresInDays'],
      [{ expiresAt: '2001-01-01T00:00:00Z' }, 'expiresAt'],
      [{ expiresAt: '2999-01-01T00:00:00Z' }, 'expiresAt'],
      [{ expiresAt: '2999-01-01T00:00:00Z', expiresInDays: 3 }, 'expiresAt'],
      [{ language: 'fr' }, 'language'],
      [{ stamp: 'draft' }, 'stamp'],
    ])('is refused with %j', async (body, field) => {
      const { id } = await issue();
      expect(await service.request('POST', `/documents/id/${id}/share`, body)).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_FAILED', details: [{ field }] },
      });
    });

    it('is not found by another company, whichever id is named', async () => {
      const invoice = await issue();
      const { id } = await share(invoice);
      const { ownerKey } = await service.createCompany('Other');
      for (const document of [invoice.id, invoice.visibleId])
        for (const [method, path] of [
          ['POST', `/documents/id/${document}/share`],
          ['GET', `/documents/id/${document}/shares`],
          ['DELETE', `/documents/id/${document}/shares/${id}`],
        ] as const) {
          const body = method === 'POST' ? {} : undefined;
          expect((await service.request(method, path, body, ownerKey)).status).toBe(404);
        }
      const elsewhere = await issue();
      const path = `/documents/id/${elsewhere.id}/shares/${id}`;
      expect((await service.request('DELETE', path)).status).toBe(404);
      expect(await shares(invoice)).toMatchObject([{ revokedAt: null }]);
    });

    it('is in the audit log: who shared and who revoked', async () => {
      const invoice = await issue();
      const { id } = await share(invoice);
      await ok('DELETE', `/documents/id/${invoice.id}/shares/${id}`);
      interface Entry {
        readonly action: string;
        readonly actor: string;
        readonly before: object | null;
        readonly after: object | null;
      }
      let entries: readonly Entry[] = [];
      await until('both entries', async () => {
        const at = `/audit?entity=document_share&id=${id}`;
        entries = (await ok<{ data: readonly Entry[] }>('GET', at)).data;
        return entries.length === 2;
      });
      expect(entries).toMatchObject([
        { action: 'update', actor: expect.stringMatching(/^api-key:\d+$/), before: { revokedAt: null } },
        { action: 'create', after: { documentId: invoice.id, stamp: 'original' } },
      ]);
    });

    it('opens nothing while the company is suspended', async () => {
      const company = await service.createCompany('Suspended');
      const send = async <T>(path: string, body: object) =>
        (await service.request<T>('POST', path, body, company.ownerKey)).body;
      const { clientId } = await send<{ clientId: number }>('/clients/create', CLIENT);
      const asked = { entityId: clientId, items: [ITEM] };
      const { id } = await send<Issued>('/documents/create/quote', asked);
      const { url } = await send<Share>(`/documents/id/${id}/share`, {});
      await page(url);
      const state = (at: string | null) =>
        service.database.query('update companies set suspended_at = $2 where id = $1', [
          company.companyId,
          at,
        ]);
      await state('2026-01-01');
      for (const at of [url, `${url}/pdf`]) {
        const answer = await open(at);
        expect([answer.status, (await answer.text()).includes('no document here')]).toEqual([404, true]);
      }
      await state(null);
      await page(url);
    });
  });

  it('leaves slots for PDFs to the company: four visitors may wait for one at a time', async () => {
    const invoices = await Promise.all(Array.from({ length: 7 }, () => issue()));
    const links = await Promise.all(invoices.map((invoice) => share(invoice)));
    service.worker.pause();
    const asked = links.slice(1).map(({ url }) => open(`${url}/pdf`));
    const refused: Response[] = [];
    for (const answer of asked)
      void answer.then((one) => {
        if (one.status === 503) refused.push(one);
      });
    let own: Promise<Response>;
    try {
      await until('two of six to be refused', () => refused.length === 2);
      expect(refused.map(({ headers }) => headers.get('retry-after'))).toEqual(['5', '5']);
      own = fetch(`${service.url}/documents/id/${invoices[0]!.id}/pdf`, {
        headers: { authorization: 'Bearer sk_test_demo_owner' },
      });
    } finally {
      service.worker.resume();
    }
    expect((await own).status).toBe(200);
    const statuses = (await Promise.all(asked)).map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 200, 200, 200, 503, 503]);
  });

  it('does not name itself in the log', async () => {
    const { url } = await share(await issue());
    await page(url);
    await open(`${url}/pdf`);
    expect(service.api.log).not.toContain(url.split('/d/')[1]!.slice(0, 40));
  });

  it('stays open after a rotation of SECRETS_KEY, until its key is gone', async () => {
    const { url } = await share(await issue());
    const former = 'test-secrets-key-of-32-characters';
    const next = 'next-secrets-key-of-32-characters';
    const both = await service.startApi({ SECRETS_KEY: `2027:${next},2026:${former}` });
    await page(url.replace(service.url, both.url));
    const gone = await service.startApi({ SECRETS_KEY: `2027:${next}` });
    expect((await open(url.replace(service.url, gone.url))).status).toBe(404);
  });

  it('is limited by the address of its visitors', async () => {
    const limited = await service.startApi({ RATE_LIMIT_SHARED_PAGES: '3/1h' });
    const { url } = await share(await issue());
    const at = url.replace(service.url, limited.url);
    const statuses: number[] = [];
    for (let count = 0; count < 5; count++) statuses.push((await open(at)).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    const refused = await open(`${limited.url}/d/none`);
    expect([refused.status, refused.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
