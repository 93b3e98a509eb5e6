import { median, queueStores, startService, type TestService, until } from '@counterfoil/test-harness';
import { extract, fresh, requestsFor, sample } from './samples';

const IMAGES = 6;
/** E-invoices and text receipts, of each. */
const TEXTS = 5;
/**
 * Both readers share the processors, so a text beside images takes longer than one on a quiet service. If it waited
 * for an image, it would take seconds.
 */
const SLOWER_MAX = 5;
const FLOOR_MS = 250;
/** Of a single text. It may come after six PDFs whose pages have to be looked at for text. */
const SINGLE_FLOOR_MS = 1_500;

let service: TestService;

beforeAll(async () => {
  service = await startService(queueStores()[0]!);
  // Both reader processes are running.
  await extract(service, await service.upload(fresh()));
  await extract(service, await service.upload(sample('photo.webp')));
});
afterAll(() => service?.stop());

let salts = 0;
/** Returns a text that is on no other document, because a reading is stored for the bytes of its document. */
const salt = () => `${Date.now()} ${(salts += 1)}`;
const salted = (name: string) => Buffer.concat([sample(name), Buffer.from(`\n% ${salt()}\n`)]);
const eInvoice = () => Buffer.concat([sample('invoice.xml'), Buffer.from(`<!-- ${salt()} -->\n`)]);

const isInHand = async () => {
  const [row] = await service.database.query<{ n: number }>(
    'select count(*)::int as n from reading_requests where outcome is null and claim_id is not null',
  );
  return row!.n > 0;
};

/** Reads texts one after the other. @returns how long each took, in milliseconds */
async function readTexts(): Promise<number[]> {
  const took: number[] = [];
  for (const make of Array.from({ length: TEXTS }, () => [eInvoice, fresh]).flat()) {
    const fileId = await service.upload(make());
    const asked = performance.now();
    const { status, body } = await extract(service, fileId);
    took.push(performance.now() - asked);
    expect({ status, total: body.expenseData?.['total'] }).toEqual({
      status: 200,
      total: expect.any(Number),
    });
    // It was read, not only found among the stored readings.
    expect(await requestsFor(service, fileId)).toEqual([{ attempts: 1, finished: true }]);
  }
  return took;
}

/** Only the content of a PDF shows whether it is an image. */
it.each([['turned-photo.jpg'], ['scan.pdf']])(
  'a company with six of %s in progress has its texts read as on a quiet service',
  async (name) => {
    const quietMs = await readTexts();
    const files = await Promise.all(Array.from({ length: IMAGES }, () => service.upload(salted(name))));
    let read = 0;
    const images = files.map((fileId) => extract(service, fileId).finally(() => (read += 1)));
    await until('an image to be in hand', isInHand);
    const besideMs = await readTexts();
    // There were images in hand all the time.
    expect(read).toBeLessThan(IMAGES);
    expect(median(besideMs)).toBeLessThan(SLOWER_MAX * median(quietMs) + FLOOR_MS);
    expect(Math.max(...besideMs)).toBeLessThan(SLOWER_MAX * Math.max(...quietMs) + SINGLE_FLOOR_MS);
    // On a busy machine, some are not read before their callers time out.
    for (const { status } of await Promise.all(images)) expect([200, 504]).toContain(status);
  },
  120_000,
);
