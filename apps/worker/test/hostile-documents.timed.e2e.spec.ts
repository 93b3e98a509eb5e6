import { execFileSync } from 'node:child_process';
import {
  hostileDocuments,
  queueStores,
  startProcesses,
  type ServiceProcesses,
} from '@counterfoil/test-harness';
import { type Extraction, textReceipt } from './samples';

const MIB = 1024 * 1024;

const FAILED = 'EXTRACTION_FAILED';
const UNSUPPORTED = 'UNSUPPORTED_FILE_TYPE_FOR_EXTRACTION';
/**
 * The documents that are refused, with the error codes. All others are read and return only the fields that
 * they state.
 */
const REFUSED: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      ...[
        'truncated.pdf',
        'encrypted.pdf',
        'deflate-bomb.pdf',
        'double-deflate-bomb.pdf',
        'page-tree-loop.pdf',
      ],
      ...[
        'entity-bomb.xml',
        'external-entity.xml',
        'truncated.xml',
        'nested.xml',
        'wide.xml',
        'brackets.xml',
      ],
      ...['huge.png', 'huge-bomb.png', 'long-data-bomb.png', 'truncated.png', 'truncated.jpg', 'huge.tif'],
      ...['empty.heic', 'empty.webp', 'jpeg-and.pdf'],
    ].map((name) => [name, FAILED]),
  ),
  ...Object.fromEntries(
    ['zeros.txt', 'noise.pdf', 'noise.html', 'archive.pdf'].map((name) => [name, UNSUPPORTED]),
  ),
};
/** The fields that the documents state. */
const STATED: Readonly<Record<string, object>> = {
  'scripts-and-launch.pdf': { date: '2024-01-02', total: 119, currency: 'EUR', documentNumber: '4711' },
  'one-line.txt': { total: 1 },
  'truncated.html': { total: 1 },
  'text-as.pdf': { total: 119, currency: 'EUR' },
  'html-as.png': { total: 119 },
  'html-as.xml': { total: 119 },
  'pdf-as.xml': { total: 119, currency: 'EUR' },
  'html-and.pdf': { total: 119, currency: 'EUR' },
};
const LIMIT_MS = 5_000;
const WORKER_MAX_BYTES = 640 * MIB;

let service: ServiceProcesses;

beforeAll(async () => {
  service = await startProcesses(queueStores()[0]!);
});
afterAll(() => service?.stop());

const residentOf = (pid: number) =>
  Number(execFileSync('ps', ['--no-headers', '-o', 'rss=', '-p', String(pid)]).toString()) * 1024;

const extract = async (bytes: Buffer | string) => {
  const fileId = await service.upload(bytes);
  return service.request<Extraction>('GET', `/expenses/extract-from-file/${fileId}`);
};

/** Leaves out documents that the upload already refuses. */
const documents = Object.entries(hostileDocuments()).filter(([name]) => !/^empty\.(pdf|txt)$/.test(name));

it.each(documents)('%s', async (name, made) => {
  const bytes = await made();
  const started = performance.now();
  const { status, body } = await extract(bytes);
  expect(performance.now() - started).toBeLessThan(LIMIT_MS);
  const code = REFUSED[name];
  if (code === undefined) {
    expect({ status, success: body.success }).toEqual({ status: 200, success: true });
    expect(STATED[name] ?? {}).toMatchObject(body.expenseData ?? {});
  } else {
    expect({ status, code: body.code }).toEqual({ status: code === FAILED ? 422 : 400, code });
  }
  // However much memory the reader used, the worker holds only the bytes that it sent.
  expect(residentOf(service.worker.pid)).toBeLessThan(WORKER_MAX_BYTES);
});

it('and then a valid one is read', async () => {
  expect(await extract(textReceipt('1'))).toMatchObject({
    status: 200,
    body: { expenseData: { total: 120 } },
  });
});
