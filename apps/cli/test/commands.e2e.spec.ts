import { DEMO_KEY, queueStores, startService, type TestService } from '@counterfoil/test-harness';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { CliHome, ended } from './cli-process';

const ITEM = { description: 'ייעוץ', quantity: 2, unitPrice: 150 };

let service: TestService;
let home: CliHome;
let clientId: number;

beforeAll(async () => {
  service = await startService(queueStores()[0]!);
  await service.request('PUT', '/company', { taxId: '514000009' });
  const client = { name: 'Acme Ltd', taxId: '514000000', type: 'COMPANY' };
  ({ clientId } = (await service.request<{ clientId: number }>('POST', '/clients/create', client)).body);
});
afterAll(() => service?.stop());
beforeEach(() => {
  home = new CliHome().use(service.url, DEMO_KEY);
});
afterEach(() => home.remove());

const bodyOf = (more: object = {}) => JSON.stringify({ entityId: clientId, items: [ITEM], ...more });

describe('counterfoil documents', () => {
  interface Issued {
    readonly id: number;
    readonly visibleId: string;
    readonly number: number;
  }

  it('issues from a file, from standard input and from an argument, once for each key of the caller', async () => {
    const file = home.write('invoice.json', bodyOf({ externalId: 'order-17' }));
    const keyed = ['documents', 'create', 'tax-invoice', file, '--idempotency-key', 'order-17'];
    const [issued] = await home.json<Issued>(...keyed);
    expect(await home.json(...keyed)).toEqual([issued]);
    expect(await home.run(['documents', 'create', 'QUOTE', '-'], bodyOf())).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^Issued QUOTE 1, id [0-9a-f-]{36}\.\n$/),
    });
    expect(await home.run(['documents', 'create', 'quote', '--data', bodyOf()])).toMatchObject({
      exitCode: 0,
    });
    const listed = await home.json<Issued>('documents', 'list', '--type', 'tax-invoice');
    expect(listed.map(({ id }) => id)).toEqual([issued!.id]);
    expect(await home.json('documents', 'list', '--limit', '2')).toHaveLength(2);
  });

  it('warns of fields that the service does not know', async () => {
    const sent = bodyOf({ itms: [], items: [{ ...ITEM, qty: 2 }] });
    const created = await home.run(['documents', 'create', 'quote', '--data', sent]);
    expect(created).toMatchObject({
      exitCode: 0,
      stderr: 'warning: the service does not know items[0].qty, itms\n',
    });
  });

  it('saves the PDF of a document, and says why it cannot be written', async () => {
    const [issued] = await home.json<Issued>('documents', 'create', 'quote', '--data', bodyOf());
    const file = path.join(home.folder, 'quote.pdf');
    const [saved] = await home.json<{ bytes: number }>('documents', 'pdf', issued!.visibleId, '-o', file);
    expect(readFileSync(file, 'latin1')).toMatch(/^%PDF-/);
    expect(readFileSync(file)).toHaveLength(saved!.bytes);
    const copied = ['documents', 'pdf', String(issued!.id), '--copy', '--language', 'he', '--output'];
    expect(await home.run([...copied, file])).toMatchObject({ exitCode: 0 });
    expect(await home.run([...copied, path.join(home.folder, 'none/quote.pdf')])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('quote.pdf cannot be written'),
    });
    expect(await home.run(['documents', 'pdf', '999999'])).toMatchObject({ exitCode: 1 });
  });

  it.each([
    ['ubl', '<Invoice '],
    ['cii', '<rsm:CrossIndustryInvoice '],
  ])('saves the e-invoice of a document by %s', async (syntax, root) => {
    const [issued] = await home.json<Issued>('documents', 'create', 'tax-invoice', '--data', bodyOf());
    const file = path.join(home.folder, 'invoice.xml');
    const saved = await home.json('documents', syntax, issued!.visibleId, '-o', file);
    expect(saved).toEqual([{ file, bytes: readFileSync(file).length }]);
    expect(readFileSync(file, 'utf8')).toContain(root);
    const [quote] = await home.json<Issued>('documents', 'create', 'quote', '--data', bodyOf());
    expect(await home.run(['documents', syntax, String(quote!.id)])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(
        'only TAX_INVOICE, TAX_INVOICE_RECEIPT, REFUND, RETURN have e-invoices',
      ),
    });
  });

  it('makes a link to a document, lists the links and revokes them', async () => {
    const [issued] = await home.json<Issued>('documents', 'create', 'quote', '--data', bodyOf());
    const share = ['documents', 'share', issued!.visibleId];
    const [made] = await home.json<{ id: number; url: string }>(...share, '--days', '2', '--language', 'en');
    const opened = () => fetch(made!.url).then(({ status }) => status);
    expect(await opened()).toBe(200);
    for (const [option, stamp] of [
      ['--copy', 'a copy'],
      ['--original', 'the original'],
    ] as const)
      expect(await home.run([...share, option])).toMatchObject({
        exitCode: 0,
        stdout: expect.stringMatching(new RegExp(`/d/[\\w-]+\\nopens it as ${stamp} until 20.+\\.\\n$`)),
      });
    expect(await home.json(...share, '--list')).toMatchObject([
      { id: made!.id, views: 1, language: 'en' },
      { views: 0, stamp: 'copy' },
      { views: 0, stamp: 'original' },
    ]);
    expect(await home.run([...share, '--revoke', String(made!.id)])).toMatchObject({ exitCode: 0 });
    expect(await opened()).toBe(404);
    expect(await home.run([...share, '--days', 'many'])).toMatchObject({ exitCode: 2 });
    const { exitCode, stderr } = await home.run([...share, '--payment-page', '999999']);
    expect([exitCode === 0, stderr.includes('paymentPageId')]).toEqual([false, true]);
  });

  it('shows a document by each of its ids', async () => {
    const file = home.write('order.json', bodyOf({ externalId: 'order-18' }));
    const [{ id, visibleId } = { id: 0, visibleId: '' }] = await home.json<Issued>(
      'documents',
      'create',
      'order',
      file,
    );
    const found = await home.json<Issued>('documents', 'show', visibleId);
    expect(found).toMatchObject([{ id, visibleId, items: [ITEM] }]);
    expect(await home.json('documents', 'show', String(id))).toMatchObject([{ visibleId }]);
    expect(await home.json('documents', 'show', '--external', 'order-18')).toMatchObject([{ visibleId }]);
    const { stdout } = await home.run(['documents', 'show', visibleId]);
    expect(stdout).toMatch(/^Document +ORDER 1$/m);
    expect(stdout).toMatch(/^Client +Acme Ltd/m);
    expect(stdout).toMatch(/^ייעוץ +2 +150 +18 +/m);
  });

  it('prints a table with a header for people, and nothing but rows for programs', async () => {
    await home.json('documents', 'create', 'quote', '--data', bodyOf());
    const { stdout, stderr } = await home.run(['documents', 'list', '--type', 'QUOTE', '--limit', '1']);
    expect(stderr).toBe('');
    expect(stdout).toMatch(
      /^ID +TYPE +NUMBER +DATE +STATUS +TOTAL +CURRENCY +CLIENT\n[0-9a-f-]{36} +QUOTE +\d+ .+\n$/,
    );
    const none = await home.run(['documents', 'list', '--type', 'REFUND']);
    expect(none).toEqual({ exitCode: 0, stdout: '', stderr: 'nothing found\n' });
  });

  it.each([
    ['no body', ['documents', 'create', 'quote']],
    ['a body twice', ['documents', 'create', 'quote', 'a.json', '--data', '{}']],
    ['a missing file', ['documents', 'create', 'quote', 'missing.json']],
    ['text that is not JSON', ['documents', 'create', 'quote', '--data', '{']],
    ['a body that is no object', ['documents', 'create', 'quote', '--data', '[]']],
    ['an unknown type', ['documents', 'create', 'invoice', '--data', '{}']],
    ['an unknown status', ['documents', 'list', '--status', 'paid-up']],
    ['a limit that is no number', ['documents', 'list', '--limit', 'many']],
    ['an unknown option', ['documents', 'list', '--colour']],
    ['an unknown command', ['documents', 'delete']],
    ['no command', ['documents']],
  ])('exits with 2 for %s', async (_, args) => {
    expect(await home.run(args)).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringMatching(/.+/),
    });
  });

  it('exits with 1 when the service refuses, and names the fields', async () => {
    const refused = await home.run(['documents', 'create', 'quote', '--data', '{"entityId":1}']);
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
    // A message that names its only field is not repeated.
    expect(refused.stderr).toMatch(/^error: items must .+ \(VALIDATION_FAILED\)\n {2}request /);
    const items = '[{"description":1,"quantity":"x","unitPrice":1}]';
    const wrong = await home.run([
      'documents',
      'create',
      'quote',
      '--data',
      `{"entityId":1,"items":${items}}`,
    ]);
    expect(wrong.stderr).toMatch(
      /^error: .+\n {2}items\[0\]\.description: .+\n {2}items\[0\]\.quantity: .+\n {2}request /,
    );
    const missing = await home.run(['documents', 'show', '999999', '--json']);
    expect(missing).toMatchObject({ exitCode: 1, stdout: '' });
    expect(JSON.parse(missing.stderr)).toMatchObject({
      error: { code: 'NOT_FOUND', status: 404, exitCode: 1 },
    });
  });

  it('exits with 3 when the service is down, and with 4 without an accepted key', async () => {
    home.env['COUNTERFOIL_KEY'] = 'sk_test_wrong';
    expect(await home.run(['documents', 'list'])).toMatchObject({ exitCode: 4, stdout: '' });
    home.env['COUNTERFOIL_URL'] = 'http://127.0.0.1:9';
    expect(await home.run(['documents', 'list'])).toMatchObject({ exitCode: 3, stdout: '' });
    delete home.env['COUNTERFOIL_KEY'];
    expect(await home.run(['documents', 'list'])).toMatchObject({ exitCode: 4, stdout: '' });
  });

  it('ends quietly when the reader of its output has gone', async () => {
    const child = home.start(['documents', 'list', '--json']);
    child.stdout.destroy();
    const stderr: string[] = [];
    child.stderr.setEncoding('utf8').on('data', (text: string) => stderr.push(text));
    await new Promise((resolve) => child.once('close', resolve));
    expect({ code: child.exitCode, stderr: stderr.join('') }).toEqual({ code: 0, stderr: '' });
  });
});

describe('colours', () => {
  const ESCAPES = '\u001b[';

  it('appear on a terminal only, and not with NO_COLOR', async () => {
    await home.json('documents', 'create', 'quote', '--data', bodyOf());
    expect((await ended(home.onTerminal(['documents', 'list']))).stdout).toContain(`${ESCAPES}1m`);
    expect((await home.run(['documents', 'list'])).stdout).not.toContain(ESCAPES);
    home.env['NO_COLOR'] = '1';
    expect((await ended(home.onTerminal(['documents', 'list']))).stdout).not.toContain(ESCAPES);
  });
});

describe('counterfoil extract', () => {
  const RECEIPT = 'Receipt 17\nTotal: 118.00 ILS\nVAT: 18.00\nDate: 2026-11-20\n';

  it('prints the fields of a receipt, and leaves no file behind', async () => {
    const file = home.write('קבלה.txt', RECEIPT);
    const { exitCode, stdout } = await home.run(['extract', file]);
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: expect.stringMatching(/^total +118 {2}\(\d+ %\)$/m),
    });
    expect(await home.json('extract', file)).toMatchObject([
      { file, source: 'text', expenseData: { total: 118 } },
    ]);
    expect((await service.request<{ data: unknown[] }>('GET', '/files')).body.data).toEqual([]);
  });

  it('keeps the file if asked to', async () => {
    const [kept] = await home.json<{ fileId: number }>('extract', home.write('a.txt', RECEIPT), '--keep');
    const { body } = await service.request<{ data: { id: number }[] }>('GET', '/files');
    expect(body.data.map(({ id }) => id)).toEqual([kept!.fileId]);
    await service.request('DELETE', `/files/${kept!.fileId}`);
  });

  it('refuses what is no receipt, and leaves no file behind', async () => {
    const file = home.write('program.bin', Buffer.from([0, 1, 2, 3]));
    expect(await home.run(['extract', file])).toMatchObject({ exitCode: 1, stdout: '' });
    expect(await home.run(['extract', 'missing.pdf'])).toMatchObject({ exitCode: 2, stdout: '' });
    expect((await service.request<{ data: unknown[] }>('GET', '/files')).body.data).toEqual([]);
  });
});

describe('counterfoil openapi', () => {
  it('prints the description of the service without a key', async () => {
    delete home.env['COUNTERFOIL_KEY'];
    const { exitCode, stdout } = await home.run(['openapi']);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ openapi: expect.stringMatching(/^3\.1/) });
    const file = path.join(home.folder, 'api.yaml');
    expect(await home.run(['openapi', '--yaml', '--output', file])).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: '',
    });
    expect(readFileSync(file, 'utf8')).toMatch(/^openapi: /);
  });

  it('reports an address that is none of the service, and a folder that is missing', async () => {
    expect(await home.run(['openapi', '--url', `${service.url}/nowhere`])).toMatchObject({ exitCode: 3 });
    expect(await home.run(['openapi', '--url', 'http://127.0.0.1:9'])).toMatchObject({ exitCode: 3 });
    expect(await home.run(['openapi', '--output', 'missing/api.json'])).toMatchObject({ exitCode: 2 });
  });
});
