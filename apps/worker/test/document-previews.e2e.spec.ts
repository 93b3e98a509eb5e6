import { createHash } from 'node:crypto';
import { oneQueueStore, startProcesses, type ServiceProcesses } from '@counterfoil/test-harness';
import { sendOk } from './send-ok';

const CLIENT = { name: 'Acme', taxId: '514000017', type: 'COMPANY' };
const ITEM = { description: 'Consulting', quantity: 2, unitPrice: 150.5 };
const PDF = '/documents/preview/pdf';

/** On one queue store: document-files.e2e makes files over both. */
describe.each(oneQueueStore())('a preview as PDF, with the $kind queue', (store) => {
  let service: ServiceProcesses;
  let draft: object;

  beforeAll(async () => {
    service = await startProcesses(store);
    const { clientId } = await sendOk<{ clientId: number }>(service, 'POST', '/clients/create', CLIENT);
    draft = { type: 'TAX_INVOICE', entityId: clientId, items: [ITEM] };
  });
  afterAll(() => service?.stop());

  const ask = (body: object, key = 'sk_test_demo_owner', headers: Record<string, string> = {}) =>
    fetch(service.url + PDF, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const pdf = async (body: object): Promise<Buffer> => {
    const answer = await ask(body);
    const content = Buffer.from(await answer.arrayBuffer());
    expect([answer.status, content.toString('latin1', 0, 5)]).toEqual([200, '%PDF-']);
    return content;
  };
  const rowsOf = async (table: string) =>
    (await service.database.query<{ count: number }>(`select count(*)::int from ${table}`))[0]!.count;
  const stored = () => Promise.all(['documents', 'outbox_events', 'idempotency_keys'].map(rowsOf));

  it('has the same bytes for every caller, also a viewer, and issues nothing', async () => {
    const role = { role: 'viewer', userName: 'Dana' };
    const { key } = await sendOk<{ key: string }>(service, 'POST', '/api-keys', role);
    const before = await stored();
    const keys = [undefined, undefined, key, key];
    const answers = await Promise.all(keys.map((of) => ask(draft, of, { 'idempotency-key': '' })));
    const contents = await Promise.all(answers.map(async (one) => Buffer.from(await one.arrayBuffer())));
    const sha256 = createHash('sha256').update(contents[0]!).digest('hex');
    for (const [index, answer] of answers.entries()) {
      expect(answer.status).toBe(200);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'application/pdf',
        'content-disposition': 'inline; filename="preview.pdf"',
        'content-length': String(contents[0]!.length),
        'cache-control': 'no-store',
        etag: `"${sha256}"`,
      });
      expect(contents[index]!.equals(contents[0]!)).toBe(true);
    }
    expect(await stored()).toEqual(before);
    const again = await ask(draft, undefined, { 'if-none-match': `"${sha256}"` });
    expect([again.status, (await again.arrayBuffer()).byteLength]).toEqual([200, contents[0]!.length]);
  });

  it('is another one for another draft, and is that of the company as it is now', async () => {
    const first = await pdf(draft);
    const other = await pdf({ ...draft, notes: 'Thank you' });
    await sendOk(service, 'PUT', '/company', { name: 'Renamed' });
    const renamed = await pdf(draft);
    expect(new Set([first, other, renamed].map((content) => content.toString('latin1'))).size).toBe(3);
  });

  it('can be made of all fields, and of the longest body', async () => {
    const payments = [{ method: 'CASH', amount: 355.18, date: '2026-03-01' }];
    await pdf({
      ...{ ...draft, type: 'TAX_INVOICE_RECEIPT', payments, issueDate: '2026-03-01', dueDate: '2026-04-01' },
      ...{ externalId: 'order/1', notes: 'שלום 😀', currency: 'ILS', linkedDocumentIds: [] },
    });
    const item = { ...ITEM, description: 'א'.repeat(400) };
    await pdf({ ...draft, type: 'QUOTE', items: Array.from({ length: 1_000 }, () => item) });
  });

  it('is refused for the client of another company', async () => {
    const { ownerKey } = await service.createCompany('Other');
    const answer = await ask(draft, ownerKey);
    expect([answer.status, await answer.json()]).toEqual([
      400,
      expect.objectContaining({ code: 'UNKNOWN_REFERENCE' }),
    ]);
  });

  it('cannot be made without a worker: the caller is told to try again, and no draft is left behind', async () => {
    await service.worker.kill('SIGKILL');
    const answers = await Promise.all(['one', 'two'].map((notes) => ask({ ...draft, notes })));
    for (const answer of answers)
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    const files = await rowsOf('statement_files');
    await service.replaceWorker();
    await pdf({ ...draft, notes: 'three' });
    expect(await rowsOf('statement_files')).toBe(files + 1);
  });
});
