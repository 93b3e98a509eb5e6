import {
  Figures,
  freePorts,
  median,
  queueStores,
  startService,
  type TestService,
} from '@counterfoil/test-harness';
import { closeConnections } from '../http-exchange';
import { type Company, companyIdOf, newCompany, read } from '../trials/company';
import { planOfPage } from './feed-plan';
import { changedAt, seedDocuments } from './million-documents';

const DOCUMENTS = 1_000_000;
const LIMIT = 200;
const TURNS = 200;
const LISTING_TURNS = 20;
const MEMORY_EVERY_PAGES = 50;
const MEMORY_GROWTH_MAX_MB = 64;

interface Page {
  readonly data: readonly unknown[];
  readonly total: number;
  readonly nextCursor: string;
  readonly hasMore: boolean;
}

const figures = new Figures();
let service: TestService;
let company: Company;
let companyId: number;
let metricsPort: number;

beforeAll(async () => {
  figures.heading(`change feed of ${DOCUMENTS.toLocaleString('en-US')} documents, over HTTP`);
  [metricsPort = 0] = await freePorts(1);
  service = await startService(queueStores()[0]!, { LOG_LEVEL: 'silent', METRICS_PORT: `${metricsPort}` });
  company = await newCompany(service, [service.url]);
  companyId = await companyIdOf(service, company);
  const started = performance.now();
  await seedDocuments(service.database, { companyId, count: DOCUMENTS });
  figures.add('seeded in', (performance.now() - started) / 1_000, ' s');
});

afterAll(async () => {
  closeConnections();
  await service.stop();
});

async function feed(place: string): Promise<Page> {
  const answer = await company.get(`/documents?limit=${LIMIT}&${place}`);
  if (answer.status !== 200) throw new Error(answer.text);
  return read<Page>(answer);
}

/**
 * Requests the paths in turn, so that a disturbance affects all of them. Returns the median duration of each
 * in ms.
 */
async function medians(turns: number, paths: readonly string[]): Promise<number[]> {
  const tookMs = paths.map((): number[] => []);
  for (let turn = 0; turn < turns; turn++) {
    for (const [index, path] of paths.entries()) {
      const started = performance.now();
      const { status, text } = await company.get(path);
      tookMs[index]?.push(performance.now() - started);
      if (status !== 200) throw new Error(text);
    }
  }
  return tookMs.map(median);
}

it('answers a page in the same time at any position', async () => {
  const first = await feed('updatedSince=1970-01-01T00:00:00Z');
  expect(first.total).toBe(DOCUMENTS);
  const nearEnd = await changedAt(service.database, companyId, DOCUMENTS - 2 * LIMIT + 1);
  const late = await feed(`updatedSince=${nearEnd}`);
  // It may start a little before the requested time.
  expect(late.total).toBeLessThan(3 * LIMIT);
  expect((await feed(`cursor=${late.nextCursor}`)).data).toHaveLength(LIMIT);
  const paths = [first, late].map(({ nextCursor }) => `/documents?limit=${LIMIT}&cursor=${nextCursor}`);
  await medians(TURNS / 10, paths);
  const [early = NaN, deep = NaN] = await medians(TURNS, paths);
  figures.add(`page of ${LIMIT} behind the first`, early, ' ms');
  figures.add(`page of ${LIMIT} at the millionth row`, deep, ' ms');
  figures.add('page at row 1,000,000 against row 0', deep / early, ' x', { atMost: 1.3 });
  const plan = await planOfPage(service.database, { companyId, place: DOCUMENTS / 2, limit: LIMIT });
  for (const line of plan) figures.note(line);
  expect(figures.broken).toEqual([]);
});

it('reads the whole feed with constant memory', async () => {
  const memoryMb: number[] = [];
  const started = performance.now();
  let rows = 0;
  let place = 'updatedSince=1970-01-01T00:00:00Z';
  for (let pages = 0; ; pages++) {
    const page = await feed(place);
    rows += page.data.length;
    if (pages % MEMORY_EVERY_PAGES === 0) memoryMb.push(await residentMb());
    if (!page.hasMore) break;
    place = `cursor=${page.nextCursor}`;
  }
  const tenth = Math.ceil(memoryMb.length / 10);
  const [first, last] = [median(memoryMb.slice(0, tenth)), median(memoryMb.slice(-tenth))];
  expect(rows).toBe(DOCUMENTS);
  figures.add(`sweep at limit ${LIMIT}`, rows / ((performance.now() - started) / 1_000), ' rows/s');
  figures.add('memory of the API, first tenth of the sweep', first, ' MB');
  figures.add('memory of the API, last tenth less the first', last - first, ' MB', {
    below: MEMORY_GROWTH_MAX_MB,
  });
  expect(figures.broken).toEqual([]);
});

it('lists by position too', async () => {
  const listings = {
    'listing, first page with total': `?limit=${LIMIT}`,
    'listing at offset 900,000': `?limit=${LIMIT}&offset=900000`,
    'listing of one status, first page with total': `?limit=${LIMIT}&status=PAID`,
    'search that finds 1, with total': '?limit=50&search=order-999999',
    'search of a client, with total': '?limit=50&search=Client%2017',
  };
  const times = await medians(
    LISTING_TURNS,
    Object.values(listings).map((query) => `/documents${query}`),
  );
  Object.keys(listings).forEach((name, index) => figures.add(name, times[index] ?? NaN, ' ms'));
});

/** Returns the resident memory from the metrics of the process. */
async function residentMb(): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1]) / 1_000_000;
}
