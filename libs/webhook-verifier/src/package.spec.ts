import { type Installation, installPackages, typeErrorsIn } from '@counterfoil/test-harness';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { nowSeconds, signed } from './testing/signed';

const ROOT = path.resolve(__dirname, '../../..');
const NAME = '@counterfoil/webhook-verifier';
const BODY = '{"id":"evt_1","type":"document.created","created":1,"data":{}}';
const USE = `
  const delivery = { body: process.argv[2], headers: { 'service-signature': process.argv[3] }, secret: 's' };
  console.log(verifyWebhook(delivery).id);
  try { verifyWebhook({ ...delivery, body: {} }); } catch (error) {
    console.log([error instanceof WebhookVerificationError, error.name, error.reason].join(' '));
  }`;

/** A receiver's code. Lines that must not compile are marked. */
const TYPED = `
  import { verifyWebhook, WebhookVerificationError, type WebhookEvent } from '${NAME}';
  const event: WebhookEvent = verifyWebhook({ body: new Uint8Array(), headers: {}, secret: undefined });
  const number: number | undefined = event.data.document?.number;
  const later: unknown = event.data['somethingLater'];
  const known: boolean = event.type === 'document.created' || event.type === 'something.later';
  export const reasonOf = (error: WebhookVerificationError): boolean => error.reason === 'wrong_signature';
  verifyWebhook({ body: '', signature: ['a'], secret: ['a', undefined], now: new Date(), toleranceSeconds: 1 });
  // @ts-expect-error: a body that was parsed
  verifyWebhook({ body: { id: 'evt_1' }, headers: {}, secret: 'a' });
  // @ts-expect-error: no secret
  verifyWebhook({ body: '', headers: {} });
  // @ts-expect-error: no such reason
  export const isUnlucky = (error: WebhookVerificationError): boolean => error.reason === 'bad_luck';
  console.log(number, later, known);
`;
/** The same with the types of Node and of the DOM. */
const TYPED_WITH_NODE = `
  import type { IncomingMessage } from 'node:http';
  import { verifyWebhook } from '${NAME}';
  export const fromNode = (request: IncomingMessage, body: Buffer) =>
    verifyWebhook({ body, headers: request.headers, secret: process.env['SECRET'] });
  export const alone = (request: IncomingMessage, body: Buffer) =>
    verifyWebhook({ body, signature: request.headers['service-signature'], secret: 'a' });
  export const fromFetch = async (request: Request) =>
    verifyWebhook({ body: await request.arrayBuffer(), headers: request.headers, secret: 'a' });
`;

const run = promisify(execFile);
let installation: Installation;

beforeAll(async () => {
  installation = await installPackages('webhook-verifier');
}, 60_000);

afterAll(() => installation?.remove());

async function outputOf(name: string, program: string): Promise<string> {
  const file = await installation.write(name, program);
  const { stdout, stderr } = await run(process.execPath, [file, BODY, signed('s', nowSeconds(), BODY)]);
  expect(stderr).toBe('');
  return stdout;
}

describe('the published package', () => {
  const answer = 'evt_1\ntrue WebhookVerificationError body_not_raw\n';

  it('can be imported by an ES module', async () => {
    const program = `import { verifyWebhook, WebhookVerificationError } from '${NAME}';${USE}`;
    expect(await outputOf('receiver.mjs', program)).toBe(answer);
  });

  it('can be required by a CommonJS module', async () => {
    const program = `const { verifyWebhook, WebhookVerificationError } = require('${NAME}');${USE}`;
    expect(await outputOf('receiver.cjs', program)).toBe(answer);
  });

  it('runs the handler of its README, which refuses a forged event', async () => {
    const readme = readFileSync(path.resolve(__dirname, '../README.md'), 'utf8');
    const [, handler = ''] = /^```js\n(.*?)^```$/ms.exec(readme) ?? [];
    await installation.write('handler.mjs', handler);
    const program = `
      import { POST } from './handler.mjs';
      process.env.WEBHOOK_SECRET = 's';
      const [, , body, signature] = process.argv;
      for (const sent of [body, body + ' ']) {
        const headers = { 'service-signature': signature };
        const request = new Request('http://localhost/', { method: 'POST', headers, body: sent });
        console.log((await POST(request)).status);
      }`;
    expect(await outputOf('readme.mjs', program)).toBe('document.created evt_1\n204\n400\n');
  });

  it.each([
    ['receiver.mts', ['--module', 'nodenext']],
    ['receiver.cts', ['--module', 'nodenext']],
    ['receiver.ts', ['--module', 'esnext', '--moduleResolution', 'bundler']],
  ])(
    'has types for %s, without needing types of another package',
    async (name, options) => {
      expect(
        await typeErrorsIn(installation, name, TYPED, '--types', '', '--lib', 'es2022,dom', ...options),
      ).toBe('');
    },
    30_000,
  );

  it('accepts the types of Node and Fetch', async () => {
    const types = path.join(ROOT, 'node_modules/@types');
    const options = ['--typeRoots', types, '--types', 'node', '--module', 'nodenext'];
    expect(await typeErrorsIn(installation, 'both.mts', TYPED_WITH_NODE, ...options)).toBe('');
  }, 30_000);

  it('has no dependencies, and contains the expected files', () => {
    const folder = path.join(installation.folder, 'node_modules', NAME);
    const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as object;
    expect(Object.keys(manifest).filter((key) => /dependencies/i.test(key))).toEqual([]);
    expect(manifest).toMatchObject({ name: NAME, license: 'MIT', engines: { node: expect.any(String) } });
    expect(readdirSync(folder).sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
    expect(readFileSync(path.join(folder, 'LICENSE'), 'utf8')).toBe(
      readFileSync(path.join(ROOT, 'LICENSE'), 'utf8'),
    );
    const files = readdirSync(path.join(folder, 'dist'));
    expect(files.every((file) => /\.(js|d\.ts)$/.test(file))).toBe(true);
    const required = files
      .filter((file) => file.endsWith('.js'))
      .flatMap((file) => [
        ...readFileSync(path.join(folder, 'dist', file), 'utf8').matchAll(/require\("(.*?)"\)/g),
      ])
      .map(([, name = '']) => name)
      .filter((name) => !name.startsWith('./'));
    expect([...new Set(required)]).toEqual(['node:crypto']);
  });
});
