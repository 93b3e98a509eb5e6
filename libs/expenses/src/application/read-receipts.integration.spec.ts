import type { Caller } from '@counterfoil/kernel';
import { IdentityModule } from '@counterfoil/identity';
import { Log } from '@counterfoil/observability';
import { startTestContext, type TestContext, until } from '@counterfoil/test-harness';
import { ReadingStoreModule } from '../reading-store.module';
import { givenCaller, givenFile } from '../testing/given-expense';
import type { DocumentFetcher } from './document-fetcher';
import { type DocumentToRead, ReadingStalled, ReadingStopped, ReceiptReader } from './ports/receipt-reader';
import { ReceiptReadings } from './ports/receipt-readings';
import type { ReadingOutcome } from './ports/reading-outcome';
import { ReadingRequests } from './ports/reading-requests';
import { ReadReceipts } from './read-receipts';

type Answer = ReadingOutcome | 'needs-recognition';

const READ: ReadingOutcome = {
  ...{ stands: 'lasting', reading: { fields: { total: 12 }, confidence: {}, source: 'text', pages: 1 } },
};
const TIMEOUT_MS = 30_000;

/** A reader that answers as configured. Documents without a configured answer wait until it is stopped. */
class ToldReader extends ReceiptReader {
  readonly asked: DocumentToRead[] = [];
  answer: (document: DocumentToRead) => Promise<Answer> = () => Promise.resolve(READ);
  private readonly ends: (() => void)[] = [];

  override read(document: DocumentToRead): Promise<Answer> {
    this.asked.push(document);
    return this.answer(document);
  }

  readonly untilStopped = (): Promise<Answer> =>
    new Promise((_, reject) => this.ends.push(() => reject(new ReadingStopped())));

  override heldBack(): readonly number[] {
    return [];
  }

  override stop(): void {
    for (const end of this.ends) end();
  }
}

let context: TestContext;
let caller: Caller;
let reader: ToldReader;
let worker: ReadReceipts;
let named = 0;
let urlsHang = false;

beforeAll(async () => {
  context = await startTestContext([ReadingStoreModule, IdentityModule]);
});
beforeEach(async () => {
  await context.database.query('delete from reading_requests');
  await context.database.query('delete from receipt_readings');
  caller = await givenCaller(context);
  reader = new ToldReader();
  worker = aWorker(reader);
  urlsHang = false;
});
afterEach(() => worker.stop());
afterAll(() => context.close());

function aWorker(by: ReceiptReader): ReadReceipts {
  // The content of each document is its address, so that all documents differ.
  const fetch: DocumentFetcher['fetch'] = ({ of: source }) =>
    urlsHang && 'url' in source
      ? new Promise(() => undefined)
      : Promise.resolve({ bytes: Buffer.from(JSON.stringify(source)) });
  const documents = { fetch } as DocumentFetcher;
  return new ReadReceipts(
    ...([context.get(ReadingRequests), context.get(ReceiptReadings), documents] as const),
    ...([by, context.get(Log), context.config] as const),
  );
}

async function ask(isImage = false): Promise<number> {
  const source = `document-${(named += 1)}`;
  const asked = { companyId: caller.companyId, source, of: { url: `https://example.com/${source}` } };
  const id = await context.get(ReadingRequests).ask({ ...asked, declaredKind: null, isImage }, TIMEOUT_MS);
  if (id === null) throw new Error('too many wait');
  return id;
}

async function askFile(): Promise<number> {
  const source = `file-${(named += 1)}`;
  const fileId = await givenFile(context, caller, source);
  const asked = { companyId: caller.companyId, source, of: { fileId }, declaredKind: null, isImage: false };
  return (await context.get(ReadingRequests).ask(asked, TIMEOUT_MS))!;
}

const outcomeOf = async (id: number) =>
  (await context.get(ReadingRequests).finishedAmong([id])).at(0)?.outcome;
const finished = (id: number) => until('the outcome', () => outcomeOf(id));
const kept = async () => (await context.database.query('select 1 from receipt_readings')).length;
const rowOf = async (id: number) => {
  const [row] = await context.database.query(
    'select claim_id is not null as claimed, is_image as "isImage", attempts from reading_requests where id = $1',
    [id],
  );
  return row;
};

it('retries a document once that the reader did not finish', async () => {
  reader.answer = () =>
    reader.asked.length === 1 ? Promise.reject(new ReadingStalled()) : Promise.resolve(READ);
  const id = await ask();
  await worker.execute();
  expect(await finished(id)).toEqual(READ);
  expect(reader.asked).toHaveLength(2);
  expect(await kept()).toBe(1);
});

it('does not cache a document that no reader finished, and does not try it a third time', async () => {
  reader.answer = () => Promise.reject(new ReadingStalled());
  const id = await ask();
  await worker.execute();
  expect(await finished(id)).toMatchObject({ stands: 'once', failure: { code: 'UNAVAILABLE' } });
  expect(reader.asked).toHaveLength(2);
  expect(await kept()).toBe(0);
});

it('answers with the pages that were read if no reader finished the document', async () => {
  const part: ReadingOutcome = { ...READ, stands: 'once' };
  reader.answer = () => Promise.reject(new ReadingStalled(part));
  const id = await ask();
  await worker.execute();
  expect(await finished(id)).toEqual(part);
  expect(reader.asked).toHaveLength(2);
  expect(await kept()).toBe(0);
});

it('reads texts while images wait, whenever a document turns out to be an image', async () => {
  reader.answer = ({ recognise, bytes }) => {
    if (recognise) return reader.untilStopped();
    return bytes.toString().endsWith(`-${text}"}`)
      ? Promise.resolve(READ)
      : Promise.resolve('needs-recognition');
  };
  const ids = await Promise.all([ask(true), ask(), ask(), ask(), ask()]);
  const text = (named += 1);
  await worker.execute();
  await until('all to be known as images', async () =>
    (await Promise.all(ids.map(rowOf))).every((row) => row?.['isImage']),
  );
  // Two documents of the company are being read, whether or not they are known to be images. The others wait
  // unclaimed.
  const rows = await until('two to be in hand', async () => {
    const found = await Promise.all(ids.map(rowOf));
    return found.filter((row) => row?.['claimed']).length === 2 && found;
  });
  expect(rows.map((row) => row?.['attempts']).toSorted()).toEqual([0, 0, 0, 1, 1]);
  named = text - 1;
  const id = await ask();
  await worker.execute();
  expect(await finished(id)).toEqual(READ);
});

it('reads the texts of files while urls hang, of the company and of nine others', async () => {
  urlsHang = true;
  const first = caller;
  const urls: number[] = [];
  for (let company = 0; company < 9; company++) {
    urls.push(await ask(), await ask(), await ask());
    caller = await givenCaller(context);
  }
  await worker.execute();
  const claimed = async () => (await Promise.all(urls.map(rowOf))).filter((row) => row?.['claimed']).length;
  await until('the slots for urls to be taken', async () => (await claimed()) === 16);
  const other = await askFile();
  caller = first;
  const own = await askFile();
  await worker.execute();
  expect(await Promise.all([finished(own), finished(other)])).toEqual([READ, READ]);
  expect(await claimed()).toBe(16);
});

it('releases its claims without counting them when it stops', async () => {
  reader.answer = reader.untilStopped;
  const ids = [await ask(), await ask(true)];
  await worker.execute();
  await until('both to be read', () => reader.asked.length === 2);
  await worker.stop();
  for (const id of ids) expect(await rowOf(id)).toMatchObject({ claimed: false, attempts: 0 });
});

it('gives back a document that it claims while it stops, without reading it', async () => {
  const id = await ask();
  const filling = worker.execute();
  await worker.stop();
  await filling;
  expect(reader.asked).toEqual([]);
  expect(await rowOf(id)).toMatchObject({ claimed: false, attempts: 0 });
});

it('purges requests without callers and without a claim', async () => {
  const requests = context.get(ReadingRequests);
  const id = await ask();
  await requests.claim({
    ...{ leaseMs: 200, texts: true, images: true, urls: true, held: [], ofCompanyMax: 2 },
    heldBack: { companyIds: [], ofCompanyMax: 1 },
  });
  await requests.withdraw(id);
  await worker.purge(new AbortController().signal);
  expect(await rowOf(id)).toMatchObject({ claimed: true });
  await until('its lease to have ended', async () => {
    await worker.purge(new AbortController().signal);
    return !(await rowOf(id));
  });
});

it('leaves the claims of a dead worker to another, which does not wait for its own readings', async () => {
  const busy = new ToldReader();
  busy.answer = busy.untilStopped;
  const first = await ask();
  const other = aWorker(busy);
  await other.execute();
  await until('it to be read', () => busy.asked.length === 1);
  const second = await ask();
  await context.get(ReadingRequests).claim({
    ...{ leaseMs: 500, texts: true, images: true, urls: true, held: [], ofCompanyMax: 2 },
    heldBack: { companyIds: [], ofCompanyMax: 1 },
  });
  busy.answer = () => Promise.resolve(READ);
  await until('its lease to have ended', async () => {
    await other.execute();
    return outcomeOf(second);
  });
  await other.stop();
  expect(await rowOf(first)).toMatchObject({ claimed: false, attempts: 0 });
});
