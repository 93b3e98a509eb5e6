import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { Counterfoil } from './client.ts';
import { AnsweringServer, hangUp, json } from './testing/answering-server.ts';

const UPLOADED = { success: true, fileId: 1 };
const TEXT = 'total 12.50 ₪';
const bytes = new TextEncoder().encode(TEXT);

let server: AnsweringServer;
let client: Counterfoil;
let folder: string;
let file: string;

beforeAll(async () => {
  server = await AnsweringServer.start();
  client = new Counterfoil({ apiKey: 'sk_test', baseUrl: server.url });
  folder = await mkdtemp(path.join(os.tmpdir(), 'counterfoil-sdk-'));
  file = path.join(folder, 'קבלה 1.txt');
  await writeFile(file, TEXT);
});

afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

/** The parts of a received form, parsed by Node. */
async function partsOf(at: number): Promise<[string, string, string][]> {
  const { body = '', headers } = server.received[at] ?? {};
  const type = headers?.['content-type'] ?? '';
  const form = await new Response(body, { headers: { 'content-type': type } }).formData();
  const parts: [string, string, string][] = [];
  for (const [name, value] of form.entries())
    parts.push(typeof value === 'string' ? [name, '', value] : [name, value.name, await value.text()]);
  return parts;
}

async function* pieces() {
  for (const byte of bytes) yield await Promise.resolve(Uint8Array.of(byte));
}

describe('an upload', () => {
  it.each<[string, () => Parameters<Counterfoil['files']['upload']>[0], string]>([
    ['a path', () => file, 'קבלה 1.txt'],
    ['a file URL', () => pathToFileURL(file), 'קבלה 1.txt'],
    ['a Blob', () => new Blob([TEXT]), 'file'],
    ['a File', () => new File([TEXT], 'receipt.txt'), 'receipt.txt'],
    ['bytes', () => bytes, 'file'],
    ['an ArrayBuffer', () => bytes.slice().buffer, 'file'],
    ['a web stream', () => new Blob([TEXT]).stream(), 'file'],
    ["a stream of Node's", () => Readable.from([bytes.slice(0, 3), bytes.slice(3)]), 'file'],
    ['a generator', () => pieces(), 'file'],
  ])('sends %s under its name, or under one that is given', async (_, source, name) => {
    server.answerWith(json(201, UPLOADED));
    expect(await client.files.upload(source())).toEqual(UPLOADED);
    await client.files.upload(source(), { filename: 'receipt 7.txt' });
    expect(await partsOf(0)).toEqual([['file', name, TEXT]]);
    expect(await partsOf(1)).toEqual([['file', 'receipt 7.txt', TEXT]]);
  });

  it('sends a stream again, under the same key', async () => {
    server.answerWith(hangUp, json(201, UPLOADED));
    expect(await client.files.upload(pieces(), { filename: 'a.txt' })).toEqual(UPLOADED);
    expect(await partsOf(0)).toEqual(await partsOf(1));
    const keys = server.received.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([expect.any(String), keys[0]]);
  });

  it('ends with its signal while a stream hangs, and sends nothing', async () => {
    server.answerWith(json(201, {}));
    const hanging = new ReadableStream<Uint8Array>({ start: (stream) => stream.enqueue(new Uint8Array(3)) });
    const controller = new AbortController();
    const call = client.files.upload(hanging, { signal: controller.signal });
    controller.abort(new Error('changed my mind'));
    await expect(call).rejects.toThrow('changed my mind');
    await expect(client.files.upload('/no/such', { signal: controller.signal })).rejects.toThrow(
      'changed my mind',
    );
    expect(server.received).toEqual([]);
  });

  it('sends nothing if the file cannot be read', async () => {
    server.answerWith(json(201, UPLOADED));
    await expect(client.files.upload(path.join(folder, 'missing'))).rejects.toThrow(/ENOENT/);
    for (const wrong of [undefined, null, 7, {}, []])
      await expect(client.files.upload(wrong as never)).rejects.toThrow(TypeError);
    expect(server.received).toEqual([]);
  });
});

describe('a download', () => {
  it('is the bytes with their type, also of JSON', async () => {
    server.answerWith(json(200, { a: 1 }));
    const content = await client.files.content(7);
    expect([content.type, await content.text()]).toEqual(['application/json', '{"a":1}']);
    expect(server.received[0]?.path).toBe('/files/7/content');
  });
});

describe('an extraction', () => {
  it('reads an uploaded file, or a document on the web', async () => {
    server.answerWith(json(200, { success: true, expenseData: {} }));
    await client.expenses.extract({ fileId: 7 });
    await client.expenses.extract({ url: 'https://example.com/a?b=1&c=2', filename: 'a.pdf' });
    expect(server.received.map(({ path: at, query }) => [at, Object.fromEntries(query)])).toEqual([
      ['/expenses/extract-from-file/7', {}],
      ['/expenses/extract-from-url', { url: 'https://example.com/a?b=1&c=2', filename: 'a.pdf' }],
    ]);
  });
});
