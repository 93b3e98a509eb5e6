import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Answered,
  DocumentServer,
  freePorts,
  queueStores,
  startProcesses,
  type TestService,
  until,
} from '@counterfoil/test-harness';
import { extract, type Extraction, FOUND, fresh, readingsBy, requestsFor, sample, TRUTH } from './samples';

const TIMEOUT_MS = 12_000;
const TURNS = 4;

let service: TestService;
let documents: DocumentServer;
let metricsPort: number;

beforeAll(async () => {
  documents = await DocumentServer.start();
  [metricsPort] = (await freePorts(1)) as [number];
  service = await startProcesses(queueStores()[0]!, {
    // Each format is read as in production.
    READER_SANDBOX: 'auto',
    EXTRACTION_TIMEOUT: `${TIMEOUT_MS}ms`,
    OUTBOUND_ALLOWED_CIDRS: `127.0.0.1/32:${documents.port}`,
    WORKER_METRICS_PORT: String(metricsPort),
  });
});
afterAll(async () => {
  await service?.stop();
  await documents?.close();
});

async function extractUrl(url: string, filename?: string): Promise<Answered<Extraction>> {
  const query = new URLSearchParams({ url, ...(filename !== undefined && { filename }) });
  return service.request<Extraction>('GET', `/expenses/extract-from-url?${query.toString()}`);
}

/** Images may take longer than a call waits on a busy machine; a later call gets the same reading (contract §12.6). */
async function inTurns(call: () => Promise<Answered<Extraction>>): Promise<Answered<Extraction>> {
  for (let turn = 1; turn < TURNS; turn++) {
    const answer = await call();
    if (answer.status !== 504) return answer;
  }
  return call();
}

describe('from a file', () => {
  it.each(Object.entries(TRUTH))('reads %s', async (name, truth) => {
    const fileId = await service.upload(sample(name));
    const { status, body } = await inTurns(() => extract(service, fileId));
    expect({ status, success: body.success }).toEqual({ status: 200, success: true });
    const found = body.expenseData ?? {};
    // Every field that is found must be right. Vendor names are compared by the scorer of the whole set,
    // because it tolerates small errors.
    for (const [field, value] of Object.entries(found)) {
      if (field !== 'vendorName') expect([truth[field]].flat()).toContainEqual(value);
    }
    expect(found['total']).toBe(truth['total']);
    expect(Object.keys(body.confidence ?? {}).sort()).toEqual(Object.keys(found).sort());
    for (const sure of Object.values(body.confidence ?? {})) {
      expect(sure).toBeGreaterThan(0);
      expect(sure).toBeLessThanOrEqual(1);
    }
  });

  it('returns the kind of source', async () => {
    const sources = ['invoice.xml', 'text.pdf', 'receipt.txt', 'fax.tif'].map(async (name) => {
      const { body } = await extract(service, await service.upload(sample(name)));
      return body.source;
    });
    expect(await Promise.all(sources)).toEqual(['xml', 'pdf-text', 'text', 'ocr']);
  });

  it('reads text while pages are recognised', async () => {
    const photo = Buffer.concat([sample('turned-photo.jpg'), Buffer.from('not read before')]);
    const order: string[] = [];
    const photoId = await service.upload(photo);
    const textId = await service.upload(fresh());
    const pages = extract(service, photoId).then(() => order.push('pages'));
    await until('the claim', async () => (await requestsFor(service, photoId))[0]?.attempts === 1);
    await extract(service, textId).then(() => order.push('text'));
    await pages;
    expect(order).toEqual(['text', 'pages']);
  });

  it('reads text with characters that the database cannot store', async () => {
    const invoice = sample('invoice.xml')
      .toString()
      .replace('Northwind Paper Ltd', 'Northwind&#xD800;Paper&#0;Ltd');
    const { status, body } = await extract(service, await service.upload(invoice));
    expect({ status, total: body.expenseData?.['total'] }).toEqual({ status: 200, total: 121 });
  });

  it('returns a reading that cannot be cached', async () => {
    await service.database.query('alter table receipt_readings rename to receipt_readings_away');
    const answer = await extract(service, await service.upload(fresh()));
    await service.database.query('alter table receipt_readings_away rename to receipt_readings');
    expect(answer.status).not.toBe(422);
  });

  it('suggests the vendor with the tax id, ignoring spaces', async () => {
    const vendor = { name: 'Northwind', taxId: 'gb 999-999973', type: 'COMPANY' };
    const { vendorId } = (await service.request<{ vendorId: number }>('POST', '/vendors/create', vendor))
      .body;
    const fileId = await service.upload(sample('invoice.xml'));
    expect((await extract(service, fileId)).body.suggestedVendorId).toBe(vendorId);
    await service.request('POST', '/vendors/create', { ...vendor, name: 'Another with the same id' });
    expect((await extract(service, fileId)).body).not.toHaveProperty('suggestedVendorId');
  });

  it('suggests the vendor with the name if none has the tax id', async () => {
    const vendor = { name: 'Corner Stationery', taxId: '514000009', type: 'COMPANY' };
    const { vendorId } = (await service.request<{ vendorId: number }>('POST', '/vendors/create', vendor))
      .body;
    const fileId = await service.upload(fresh());
    expect((await extract(service, fileId)).body.suggestedVendorId).toBe(vendorId);
    await service.request('POST', '/vendors/create', { ...vendor, name: 'CORNER STATIONERY, LTD.' });
    expect((await extract(service, fileId)).body).not.toHaveProperty('suggestedVendorId');
  });

  it('does not use readings of another company', async () => {
    const company = await service.createCompany('Another');
    const receipt = fresh();
    const fileId = await service.upload(receipt);
    await extract(service, fileId);
    expect((await extract(service, fileId, company.ownerKey)).status).toBe(404);
    const theirs = await service.upload(receipt, company.ownerKey);
    await extract(service, theirs, company.ownerKey);
    expect(await requestsFor(service, theirs)).toHaveLength(1);
  });
});

describe('from a url', () => {
  it('reads the response according to the extension', async () => {
    const pdf = documents.serve('/a', sample('text.pdf'), { 'content-type': 'application/octet-stream' });
    const truth = TRUTH['text.pdf']!;
    expect(await extractUrl(pdf)).toMatchObject({
      status: 200,
      body: { source: 'pdf-text', expenseData: { total: truth['total'], date: truth['date'] } },
    });
    const text = documents.serve('/b', fresh());
    expect(await extractUrl(text, 'receipt.TXT')).toMatchObject({
      status: 200,
      body: { source: 'text', expenseData: FOUND },
    });
    const xml = documents.serve('/c', sample('invoice.xml'));
    expect(await extractUrl(xml, 'invoice.xml')).toMatchObject({
      status: 200,
      body: { source: 'xml', expenseData: TRUTH['invoice.xml'] },
    });
    expect(await service.database.query('select url from reading_requests where url is not null')).toEqual(
      [],
    );
  });

  it('reads an image with the extension of a PDF by its content', async () => {
    const url = documents.serve('/fax', sample('fax.tif'));
    const answer = await inTurns(() => extractUrl(url));
    expect(answer).toMatchObject({ status: 200, body: { source: 'ocr' } });
  });

  it('does not read text with the extension of a PDF', async () => {
    const url = documents.serve('/login', '<!doctype html><html><body>Total 12.00</body></html>');
    expect(await extractUrl(url)).toMatchObject({
      status: 422,
      body: { code: 'EXTRACTION_FAILED' },
    });
  });

  it('fetches each time, but reads the same bytes once', async () => {
    const url = documents.serve('/twice', fresh());
    const before = await readingsBy(metricsPort);
    const first = await extractUrl(url, 'a.txt');
    expect((await extractUrl(url, 'a.txt')).body).toEqual(first.body);
    expect(documents.requestedPaths.filter((path) => path === '/twice')).toHaveLength(2);
    expect(await readingsBy(metricsPort)).toBe(before + 1);
  });

  it('follows up to five redirects to allowed addresses', async () => {
    documents.serve('/end', fresh());
    for (let hop = 1; hop <= 6; hop++)
      documents.redirect(`/hop${hop}`, hop === 1 ? '/end' : `/hop${hop - 1}`);
    const from = (hop: number) => extractUrl(`http://127.0.0.1:${documents.port}/hop${hop}`, 'a.txt');
    expect((await from(5)).status).toBe(200);
    expect(await from(6)).toMatchObject({ status: 502, body: { code: 'FETCH_FAILED' } });
  });

  it.each([
    ['a private address', 'http://10.0.0.1/'],
    ['loopback', 'http://127.0.0.1:1/'],
    ['loopback by name', 'http://localhost:1/'],
    ['metadata', 'http://169.254.169.254/latest/meta-data/'],
    ['a number that is loopback', 'http://2130706433:1/'],
    ['IPv6 loopback', 'http://[::1]/'],
    ['file:', 'file:///etc/passwd'],
    ['ftp:', 'ftp://example.com/a.pdf'],
    ['data:', 'data:text/plain,hello'],
    ['credentials', 'https://user:secret@example.com/a.pdf'],
    ['no url at all', 'nonsense'],
  ])('refuses %s', async (_, url) => {
    expect(await extractUrl(url)).toMatchObject({
      status: 400,
      body: { code: 'URL_NOT_ALLOWED' },
    });
  });

  it.each([
    'http://127.0.0.1:1/',
    'http://169.254.169.254/',
    'file:///etc/passwd',
    'http://[::ffff:7f00:1]:1/',
  ])('refuses a redirect to %s', async (location) => {
    const url = documents.redirect('/astray', location);
    expect(await extractUrl(url)).toMatchObject({
      status: 400,
      body: { code: 'URL_NOT_ALLOWED' },
    });
  });

  it('reports the failure of the url', async () => {
    const { port } = documents;
    const missing = `http://127.0.0.1:${port}/nothing-here`;
    expect(await extractUrl(missing)).toMatchObject({
      status: 502,
      body: { code: 'FETCH_FAILED', error: expect.stringContaining('404') },
    });
    const broken = documents.on('/broken', (_, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('%PDF-1.7');
      setTimeout(() => response.destroy(), 50);
    });
    expect(await extractUrl(broken)).toMatchObject({
      status: 502,
      body: { code: 'FETCH_FAILED' },
    });
    const packed = documents.serve('/packed', Buffer.alloc(10), { 'content-encoding': 'gzip' });
    expect(await extractUrl(packed)).toMatchObject({
      status: 502,
      body: { code: 'FETCH_FAILED' },
    });
    const empty = documents.serve('/empty', '');
    expect(await extractUrl(empty)).toMatchObject({
      status: 422,
      body: { code: 'EXTRACTION_FAILED' },
    });
  });

  it('returns a late outcome to a repeated call', async () => {
    const url = documents.on('/slow', (_, response) => {
      setTimeout(() => response.end(fresh()), TIMEOUT_MS + 1_000);
    });
    expect(await extractUrl(url, 'a.txt')).toMatchObject({ status: 504 });
    await sleep(2_000);
    expect(await extractUrl(url, 'a.txt')).toMatchObject({
      status: 200,
      body: { expenseData: FOUND },
    });
    expect(documents.requestedPaths.filter((path) => path === '/slow')).toHaveLength(1);
  }, 40_000);

  it('accepts up to 25 MiB', async () => {
    const most = documents.serve('/most', Buffer.alloc(25 * 1024 * 1024, 'a '));
    expect((await extractUrl(most, 'a.txt')).status).toBe(200);
    const announced = documents.serve('/more', Buffer.alloc(25 * 1024 * 1024 + 1, 'a '));
    const endless = documents.on('/endless', (_, response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, 'a ')));
      };
      response.on('drain', more);
      more();
    });
    for (const url of [announced, endless]) {
      expect(await extractUrl(url, 'a.txt')).toMatchObject({
        status: 413,
        body: { code: 'PAYLOAD_TOO_LARGE' },
      });
    }
  });
});
