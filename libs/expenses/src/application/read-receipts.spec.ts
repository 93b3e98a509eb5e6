import { Readable } from 'node:stream';
import { FileReader, ReadFile } from '@counterfoil/files';
import { createLog } from '@counterfoil/observability';
import { OutboundHttp } from '@counterfoil/outbound-http';
import { testConfig } from '@counterfoil/test-harness';
import { DocumentFetcher } from './document-fetcher';
import { type ClaimedReading, ReadingRequests, type ReadingTerms } from './ports/reading-requests';
import { ReceiptReader } from './ports/receipt-reader';
import { ReceiptReadings } from './ports/receipt-readings';
import { ReadReceipts } from './read-receipts';
import { longestReadingMs } from './reading-slots';

const config = testConfig('postgres://127.0.0.1/none');
const LONGEST_MS = longestReadingMs(config.extraction.documentTimeoutMs);
const BYTES = Buffer.from('a receipt');

const uncalled = () => Promise.reject(new Error('no test calls this'));

/** Requests for more texts than a worker ever reads, each of another company. */
class EndlessTexts extends ReadingRequests {
  claimed = 0;
  override ask = uncalled;
  override renewWaits = uncalled;
  override keepWanted = uncalled;
  override withdraw = uncalled;
  override finishedAmong = uncalled;
  override turnIntoImage = uncalled;
  override release = uncalled;
  override retry = uncalled;
  override finish = uncalled;
  override purge = uncalled;
  override backlog = uncalled;

  override claim({ texts }: ReadingTerms): Promise<ClaimedReading | null> {
    if (!texts) return Promise.resolve(null);
    const id = (this.claimed += 1);
    const of = { fileId: id };
    const claim = { id, claimId: `claim ${id}`, companyId: id, of, attempts: 1 };
    return Promise.resolve({ ...claim, declaredKind: null, isImage: false, trace: null });
  }

  override renew(claimIds: readonly string[]): Promise<readonly string[]> {
    return Promise.resolve(claimIds);
  }
}

class NoReadings extends ReceiptReadings {
  override save = uncalled;
  override purge = uncalled;

  override find(): Promise<null> {
    return Promise.resolve(null);
  }
}

/** Begins readings and never ends them, not even those that are withdrawn. */
class HangingReader extends ReceiptReader {
  begun = 0;

  override read(): Promise<never> {
    this.begun += 1;
    return new Promise(() => undefined);
  }

  override heldBack(): readonly number[] {
    return [];
  }

  override stop(): void {
    throw new Error('no test calls this');
  }
}

/** Knows every file of every company. */
class EveryFile extends FileReader {
  override findLinked = uncalled;
  override usage = uncalled;
  override largestCompanies = uncalled;

  override list(): never {
    throw new Error('no test calls this');
  }

  override find(companyId: number, id: number) {
    const stored = { storageKey: '0'.repeat(32), size: BYTES.length, sha256: '0'.repeat(64) };
    const shown = { fileName: 'a.pdf', mimeType: 'application/pdf', createdAt: new Date() };
    return Promise.resolve({ id, companyId, ...stored, ...shown });
  }
}

const store = {
  put: uncalled,
  remove: uncalled,
  open: () => Promise.resolve({ content: Readable.from([BYTES]), size: BYTES.length }),
};

class NoHttp extends OutboundHttp {
  override send = uncalled;
  override assertAllowed = uncalled;
  override close = uncalled;
}

// The streams of files need the real ones.
beforeEach(() => jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] }));
afterEach(() => jest.useRealTimers());

it('uses the slots of readings that hang for others, after the longest time that a reading takes', async () => {
  const [requests, reader] = [new EndlessTexts(), new HangingReader()];
  const fetcher = new DocumentFetcher(new ReadFile(new EveryFile(), store), new NoHttp());
  const log = createLog(config, 'test');
  const worker = new ReadReceipts(requests, new NoReadings(), fetcher, reader, log, config);
  await worker.execute();
  const slots = requests.claimed;
  await jest.advanceTimersByTimeAsync(LONGEST_MS - 1);
  expect(reader.begun).toBe(slots);
  await worker.execute();
  expect(requests.claimed).toBe(slots);
  await jest.advanceTimersByTimeAsync(1);
  await worker.execute();
  expect(requests.claimed).toBe(2 * slots);
});
