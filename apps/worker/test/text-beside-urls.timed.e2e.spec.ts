import {
  DocumentServer,
  queueStores,
  startService,
  type TestService,
  until,
} from '@counterfoil/test-harness';
import { extract, type Extraction, FOUND, fresh } from './samples';

const URLS = 6;
const TEXTS = 5;
/** A URL has a time limit of 20 seconds. */
const PROMPT_MS = 5_000;

let service: TestService;
let documents: DocumentServer;

beforeAll(async () => {
  documents = await DocumentServer.start();
  service = await startService(queueStores()[0]!, {
    OUTBOUND_ALLOWED_CIDRS: `127.0.0.1/32:${documents.port}`,
  });
  // The reader process is running.
  await extract(service, await service.upload(fresh()));
});
afterAll(async () => {
  await documents?.close();
  await service?.stop();
});

it('a company with slow urls has the texts of its files read at once, and gets the outcome of its urls', async () => {
  const urls = Array.from({ length: URLS }, (_, nth) =>
    documents.on(`/slow-${nth}.txt`, (_request, response) => {
      response.writeHead(200);
      const dripping = setInterval(() => response.write('.'), 500);
      response.on('close', () => clearInterval(dripping));
    }),
  );
  const fetched = urls.map((url) => {
    const query = new URLSearchParams({ url, filename: 'slow.txt' }).toString();
    return service.request<Extraction>('GET', `/expenses/extract-from-url?${query}`);
  });
  await until('two urls to be fetched', () => documents.requestedPaths.length === 2);
  for (let text = 0; text < TEXTS; text++) {
    const fileId = await service.upload(fresh());
    const asked = performance.now();
    const { status, body } = await extract(service, fileId);
    expect(performance.now() - asked).toBeLessThan(PROMPT_MS);
    expect({ status, found: body.expenseData }).toMatchObject({ status: 200, found: FOUND });
  }
  expect(documents.requestedPaths).toHaveLength(2);
  for (const { status } of await Promise.all(fetched)) expect([502, 504]).toContain(status);
}, 60_000);
