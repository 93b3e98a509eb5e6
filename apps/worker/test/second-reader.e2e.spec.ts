import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  DocumentServer,
  queueStores,
  startProcesses,
  type ServiceProcesses,
  until,
} from '@counterfoil/test-harness';
import { type Extraction, sample, textReceipt } from './samples';

const API_KEY = 'sk-second-reader-secret';
const PATH = '/v1/chat/completions';

interface CompletionRequest {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

/** A receipt whose number has no label. */
const unlabelled = (mark: string) => textReceipt('').replace(/Invoice No.*\n/, `\nQ${mark}Z\n`);

describe('a configured second receipt reader', () => {
  let service: ServiceProcesses;
  let endpoint: DocumentServer;
  let answer: (request: CompletionRequest) => { status: number; body: string };
  const received: { body: CompletionRequest; authorization: string | undefined }[] = [];

  beforeAll(async () => {
    endpoint = await DocumentServer.start();
    endpoint.on(
      PATH,
      (request, response) =>
        void serve(request).then(({ status, body }) => response.writeHead(status).end(body)),
    );
    service = await startProcesses(queueStores()[0]!, {
      SECOND_READER_URL: `http://127.0.0.1:${endpoint.port}/v1`,
      SECOND_READER_MODEL: 'reader-small',
      SECOND_READER_API_KEY: API_KEY,
    });
  });
  beforeEach(() => {
    received.length = 0;
  });
  afterAll(async () => {
    await service?.stop();
    await endpoint?.close();
  });

  async function serve(request: IncomingMessage): Promise<{ status: number; body: string }> {
    const body = JSON.parse(await text(request)) as CompletionRequest;
    received.push({ body, authorization: request.headers.authorization });
    return answer(body);
  }

  const says = (fields: unknown) => () => ({
    status: 200,
    body: JSON.stringify({ choices: [{ message: { role: 'assistant', content: JSON.stringify(fields) } }] }),
  });

  async function extract(bytes: Buffer | string) {
    const fileId = await service.upload(bytes);
    return (await service.request<Extraction>('GET', `/expenses/extract-from-file/${fileId}`)).body;
  }

  it('fills in missing fields that the text states, and changes no others', async () => {
    answer = says({ documentNumber: 'Q4711Z', total: 999, vendorName: 'Somebody else', date: '2020-01-01' });
    const found = await extract(unlabelled('4711'));
    expect(found.expenseData).toMatchObject({ documentNumber: 'Q4711Z', total: 120, date: '2026-03-12' });
    expect(found.expenseData?.['vendorName']).toBe('CORNER STATIONERY LTD');
    expect(found.confidence?.['documentNumber']).toBe(0.5);
    expect(received).toHaveLength(1);
    expect(received[0]!.authorization).toBe(`Bearer ${API_KEY}`);
    expect(received[0]!.body.model).toBe('reader-small');
    expect(received[0]!.body.messages.at(-1)!.content).toContain('Q4711Z');
  });

  it('is ignored if the text does not state its answer', async () => {
    answer = says({ documentNumber: 'INVENTED-1' });
    expect((await extract(unlabelled('4712'))).expenseData).not.toHaveProperty('documentNumber');
  });

  it.each([
    ['fails', () => ({ status: 500, body: 'down' })],
    ['talks', () => ({ status: 200, body: 'Sure! Here is what I found.' })],
    ['sends no content', () => ({ status: 200, body: '{"choices":[]}' })],
    ['sends a list', says([1, 2])],
    ['sends too much', () => ({ status: 200, body: 'x'.repeat(1024 * 1024) })],
  ])('is skipped if it %s', async (what, answers) => {
    answer = answers;
    const found = await extract(unlabelled(what.length.toString() + what.charCodeAt(0)));
    expect(found).toMatchObject({ success: true, expenseData: { total: 120 } });
    expect(found.expenseData).not.toHaveProperty('documentNumber');
  });

  it('is not called for an e-invoice, or without missing fields, and once for a file', async () => {
    answer = says({ documentNumber: 'Q4713Z' });
    await extract(sample('invoice.xml'));
    await extract(textReceipt('4714'));
    expect(received).toEqual([]);
    await extract(unlabelled('4713'));
    await extract(unlabelled('4713'));
    expect(received).toHaveLength(1);
  });

  it('does not allow its address for other requests', async () => {
    const url = encodeURIComponent(`http://127.0.0.1:${endpoint.port}/v1/models`);
    const { body } = await service.request<Extraction>(
      'GET',
      `/expenses/extract-from-url?filename=a.txt&url=${url}`,
    );
    expect(body.code).toBe('URL_NOT_ALLOWED');
    expect(endpoint.requestedPaths).not.toContain('/v1/models');
  });

  it('does not prevent a worker from stopping', async () => {
    endpoint.on(PATH, () => undefined);
    const waiting = extract(unlabelled('4715'));
    await until('the question', () => endpoint.requestedPaths.at(-1) === PATH);
    const startedAt = performance.now();
    expect(await service.worker.kill('SIGTERM')).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    const [row] = await service.database.query<{ attempts: number }>(
      'select attempts from reading_requests where outcome is null',
    );
    expect(row).toEqual({ attempts: 0 });
    expect(await service.api.kill('SIGTERM')).toBe(0);
    expect(await waiting).toMatchObject({ code: 'EXTRACTION_TIMEOUT' });
  });

  it('does not log its key', () => {
    expect(service.worker.log + service.api.log).not.toContain(API_KEY);
  });
});
