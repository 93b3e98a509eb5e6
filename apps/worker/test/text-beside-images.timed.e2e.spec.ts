import { queueStores, startService, type TestService, until } from '@counterfoil/test-harness';
import { extract, fresh, sample } from './samples';

const IMAGES = 6;
const TEXTS = 5;
/** The images of a company take the reader longer than this, one after the other. */
const PROMPT_MS = 5_000;

let service: TestService;

beforeAll(async () => {
  service = await startService(queueStores()[0]!);
  // Both reader processes are running.
  await extract(service, await service.upload(fresh()));
  await extract(service, await service.upload(sample('photo.webp')));
});
afterAll(() => service?.stop());

const salted = (name: string, salt: string) => Buffer.concat([sample(name), Buffer.from(`\n% ${salt}\n`)]);
const inHand = async (condition: string) => {
  const [row] = await service.database.query<{ n: number }>(
    `select count(*)::int as n from reading_requests where outcome is null and ${condition}`,
  );
  return row!.n;
};

/** Only the content of a PDF shows whether it is an image. */
it.each([['turned-photo.jpg'], ['scan.pdf']])(
  'a company with six of %s in progress has its texts read at once',
  async (name) => {
    const files = await Promise.all(
      Array.from({ length: IMAGES }, (_, nth) => service.upload(salted(name, `${Date.now()} ${nth}`))),
    );
    let read = 0;
    const images = files.map((fileId) => extract(service, fileId).finally(() => (read += 1)));
    await until('an image to be in hand', async () => (await inHand('claim_id is not null')) > 0);
    const took: number[] = [];
    for (const bytes of [sample('invoice.xml'), ...Array.from({ length: TEXTS }, fresh)]) {
      const fileId = await service.upload(bytes);
      const asked = performance.now();
      const { status, body } = await extract(service, fileId);
      took.push(performance.now() - asked);
      expect({ status, total: body.expenseData?.['total'] }).toEqual({
        status: 200,
        total: expect.any(Number),
      });
    }
    expect(read).toBeLessThan(IMAGES);
    expect(Math.max(...took)).toBeLessThan(PROMPT_MS);
    // On a busy machine, some are not read before their callers time out.
    for (const { status } of await Promise.all(images)) expect([200, 504]).toContain(status);
  },
  120_000,
);
