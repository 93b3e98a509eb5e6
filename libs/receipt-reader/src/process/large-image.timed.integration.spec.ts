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

/** A page of A4 at 600 dpi. */
const [WIDTH, HEIGHT] = [4_960, 7_016];
const LIMIT_MS = 120_000;

/** White, with a soft mask. */
function scan(): Buffer {
  const image = (colours: string, bytes: number, more: string) =>
    stream(
      deflateSync(Buffer.alloc(WIDTH * HEIGHT * bytes, 255), { level: 1 }),
      `/Type /XObject /Subtype /Image /Width ${WIDTH} /Height ${HEIGHT} /BitsPerComponent 8 ` +
        `/ColorSpace /${colours} /Filter /FlateDecode ${more}`,
    );
  // Too few letters for a text layer, so the page is recognised.
  const text = 'BT /F1 20 Tf 60 700 Td (Corner Ltd) Tj 0 -60 Td (Total) Tj 0 -40 Td (EUR 119.00) Tj ET';
  return pdfOf([stream(`q 595 0 0 842 0 0 cm /Im Do Q ${text}`)], {
    resources: '/XObject << /Im 3 0 R >>',
    objects: [image('DeviceRGB', 3, '/SMask 4 0 R'), image('DeviceGray', 1, '')],
  });
}

it('reads an image of 35 megapixels with a soft mask within the memory of the process', async () => {
  const processes = new compiled.ReceiptProcesses(LIMIT_MS, NO_SANDBOX);
  const document = {
    bytes: scan(),
    declaredKind: null,
    today: '2026-11-22',
    recognise: true,
    withText: true,
  };
  try {
    // The second time, the models are in memory too.
    for (const owner of [1, 2]) {
      const answer = await processes.read({ ...document, owner });
      expect(answer).toMatchObject({ kind: 'read', reading: { source: 'ocr', pages: 1 } });
      expect(answer).toHaveProperty('text', expect.stringContaining('119.00'));
    }
  } finally {
    processes.stop();
  }
}, 300_000);
