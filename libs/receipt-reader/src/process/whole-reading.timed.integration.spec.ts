import { createRequire } from 'node:module';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import { pdfOf, stream } from '@counterfoil/test-harness';
import type { ReceiptProcesses } from './receipt-processes';
import { NO_SANDBOX } from './sandbox';

// The compiled module: it starts processes of compiled files.
const compiled = createRequire(
  path.resolve(__dirname, '../../../../dist/libs/receipt-reader/src/process/receipt-processes.js'),
)('./receipt-processes.js') as { ReceiptProcesses: typeof ReceiptProcesses };

const LIMIT_MS = 8_000;
const TEXT_LIMIT_MS = LIMIT_MS / 4;

/** Without text: checking for text takes at most a second, but rendering takes many times as long. */
const SLOW_SCAN = pdfOf([
  stream(
    deflateSync(Buffer.from('q Q\n'.repeat(1_000_000) + '0 0 m 595 842 0 842 595 0 c f\n'.repeat(50_000))),
    '/Filter /FlateDecode',
  ),
]);
const QUICK = Buffer.from('Corner Ltd\nInvoice 1\nTotal EUR 12.00\n');

describe('a PDF that is read as text and then as images', () => {
  let processes: ReceiptProcesses;

  beforeEach(() => {
    processes = new compiled.ReceiptProcesses(LIMIT_MS, NO_SANDBOX);
  });
  afterEach(() => processes.stop());

  it('takes at most the time of one document in both processes', async () => {
    const read = (bytes: Buffer, recognise: boolean) =>
      processes.read({
        owner: 1,
        bytes,
        declaredKind: null,
        today: '2026-11-22',
        recognise,
        withText: false,
      });
    // The start of the process does not count as time of the document.
    for (const recognise of [false, true]) await read(QUICK, recognise);

    const began = performance.now();
    expect(await read(SLOW_SCAN, false)).toMatchObject({ kind: 'needs-recognition' });
    const textMs = performance.now() - began;
    await expect(read(SLOW_SCAN, true)).rejects.toMatchObject({ loss: 'time' });
    const bothMs = performance.now() - began;
    expect(textMs).toBeGreaterThan(TEXT_LIMIT_MS / 8);
    expect(bothMs - textMs).toBeGreaterThan((LIMIT_MS - TEXT_LIMIT_MS) * 0.95);
    expect(bothMs).toBeLessThan(LIMIT_MS);
  }, 60_000);
});
