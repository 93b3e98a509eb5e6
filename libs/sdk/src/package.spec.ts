import { type Installation, installPackages, typeErrorsIn } from '@counterfoil/test-harness';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { AnsweringServer, json } from './testing/answering-server.ts';

const ROOT = path.resolve(__dirname, '../../..');
const NAME = '@counterfoil/sdk';
const VERIFIER = '@counterfoil/webhook-verifier';

const USE = `
  const client = new Counterfoil({ apiKey: 'sk_test', baseUrl: process.argv[2] });
  const verified = () => { try { verify({ body: '', headers: {}, secret: 'a' }); } catch (error) { return error; } };
  (async () => {
    const ids = [];
    for await (const vendor of client.vendors.list()) ids.push(vendor.id);
    const error = await client.files.upload('/no/such/file').catch((reason) => reason);
    console.log([ids.join(), error.code, isCounterfoilError(error), verified().reason].join(' '));
  })();`;

/** A caller's code. Lines that must not compile are marked. */
const TYPED = `
  import { Counterfoil, CounterfoilError, isCounterfoilError, type AnswerOf, type CreateVendorBody } from '${NAME}';
  import { verify, type WebhookEvent } from '${NAME}/webhooks';
  const client = new Counterfoil({ apiKey: 'sk_test', baseUrl: 'http://127.0.0.1', timeout: 1_000, maxRetries: 0 });
  const body: CreateVendorBody = { name: 'Acme', taxId: '514000000', type: 'COMPANY' };
  export async function use(stream: AsyncIterable<Uint8Array>) {
    const created: { vendorId: number } = await client.vendors.create(body, { idempotencyKey: 'a' });
    for await (const vendor of client.vendors.list({ sortBy: 'name' })) console.log(vendor.name.length);
    const page = await client.documents.list({ status: 'OPEN' });
    const total: number = page.pagination.total;
    for await (const { document, checkpoint } of client.documents.changes({ checkpoint: null }))
      console.log(document.visibleId.length, checkpoint.length);
    const html: string = await client.documents.previewHtml({ type: 'QUOTE', entityId: 1 });
    const content: Blob = await client.files.content((await client.files.upload(stream)).fileId);
    const answer: AnswerOf<'POST /documents/create/{type}'> = await client.documents.create('QUOTE', { entityId: 1 });
    const read = await client.expenses.extract({ fileId: 1 }, { signal: AbortSignal.timeout(1) });
    const amount: number | undefined = read.expenseData.total;
    const event: WebhookEvent = verify({ body: '', headers: {}, secret: undefined });
    const number: number | undefined = event.data.document?.number;
    return { created, total, html, content, answer, amount, number };
  }
  export function codeOf(error: unknown) {
    if (isCounterfoilError(error, 'NOT_FOUND', 'FORBIDDEN')) {
      const code: 'NOT_FOUND' | 'FORBIDDEN' = error.code;
      return code;
    }
    return error instanceof CounterfoilError ? error.fields[0]?.field : undefined;
  }
  // @ts-expect-error: no such type
  void client.documents.create('INVOICE', { entityId: 1 });
  // @ts-expect-error: a required field is missing
  void client.vendors.create({ name: 'Acme' });
  // @ts-expect-error: no such field
  void client.vendors.create({ ...body, nam: 'Acme' } satisfies CreateVendorBody);
  // @ts-expect-error: no id
  void client.vendors.get();
  // @ts-expect-error: the feed has a method of its own
  void client.documents.list({ updatedSince: '2026-01-01' });
  // @ts-expect-error: a document cannot be deleted
  void client.documents.delete('a');
  // @ts-expect-error: no such code
  isCounterfoilError(undefined, 'BAD_LUCK');
`;

const run = promisify(execFile);
let installation: Installation;
let server: AnsweringServer;

beforeAll(async () => {
  [installation, server] = await Promise.all([
    installPackages('webhook-verifier', 'sdk'),
    AnsweringServer.start(),
  ]);
  const row = { id: 7 };
  server.answerWith(json(200, { data: [row], pagination: { offset: 0, pageSize: 200, hasMore: false } }));
}, 120_000);

afterAll(async () => {
  await server?.close();
  await installation?.remove();
});

const folderOf = (name: string) => path.join(installation.folder, 'node_modules', name);

async function outputOf(name: string, program: string): Promise<string> {
  const file = await installation.write(name, program);
  const { stdout, stderr } = await run(process.execPath, [file, server.url]);
  expect(stderr).toBe('');
  return stdout;
}

describe('the published package', () => {
  const answer = '7 ENOENT false missing_signature\n';

  it('can be imported by an ES module', async () => {
    const program = `import { Counterfoil, isCounterfoilError } from '${NAME}';
      import { verify } from '${NAME}/webhooks';${USE}`;
    expect(await outputOf('caller.mjs', program)).toBe(answer);
  });

  it('can be required by a CommonJS module', async () => {
    const program = `const { Counterfoil, isCounterfoilError } = require('${NAME}');
      const { verify } = require('${NAME}/webhooks');${USE}`;
    expect(await outputOf('caller.cjs', program)).toBe(answer);
  });

  it.each([
    ['node16.mts', ['--module', 'node16']],
    ['node16.cts', ['--module', 'node16']],
    ['nodenext.mts', ['--module', 'nodenext']],
    ['nodenext.cts', ['--module', 'nodenext']],
    ['bundled.ts', ['--module', 'esnext', '--moduleResolution', 'bundler']],
  ])(
    'has types for %s, with those of a browser and with those of Node',
    async (name, options) => {
      const browser = ['--types', '', '--lib', 'es2022,dom,dom.iterable,dom.asynciterable'];
      const types = path.join(ROOT, 'node_modules/@types');
      const node = ['--typeRoots', types, '--types', 'node', '--lib', 'es2022'];
      expect(await typeErrorsIn(installation, name, TYPED, ...browser, ...options)).toBe('');
      expect(await typeErrorsIn(installation, name, TYPED, ...node, ...options)).toBe('');
    },
    60_000,
  );

  it('depends on the verifier alone, and contains the expected files', () => {
    const manifest = JSON.parse(readFileSync(path.join(folderOf(NAME), 'package.json'), 'utf8')) as object;
    const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
      version: string;
    };
    const verifier = JSON.parse(
      readFileSync(path.join(folderOf(VERIFIER), 'package.json'), 'utf8'),
    ) as object;
    expect(manifest).toMatchObject({
      name: NAME,
      version,
      license: 'MIT',
      engines: { node: expect.any(String) },
    });
    expect(verifier).toMatchObject({ version });
    const dependencies = Object.entries(manifest).filter(([key]) => /dependencies/i.test(key));
    expect(dependencies).toEqual([['dependencies', { [VERIFIER]: version }]]);
    expect(readdirSync(folderOf(NAME)).sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
    expect(readFileSync(path.join(folderOf(NAME), 'LICENSE'), 'utf8')).toBe(
      readFileSync(path.join(ROOT, 'LICENSE'), 'utf8'),
    );
  });

  it('names every file of its ES modules in full, and imports nothing else from its main entry', () => {
    const dist = path.join(folderOf(NAME), 'dist/esm');
    const files = readdirSync(dist).filter((file) => file.endsWith('.js') && file !== 'webhooks.js');
    const imported = files.flatMap((file) =>
      [...readFileSync(path.join(dist, file), 'utf8').matchAll(/(?:from|import) ?\(?['"](.+?)['"]/g)].map(
        ([, name = '']) => name,
      ),
    );
    expect(imported.length).toBeGreaterThan(5);
    expect(imported.filter((name) => !files.includes(name.replace(/^\.\//, '')))).toEqual([]);
  });
});
