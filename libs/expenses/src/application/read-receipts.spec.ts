import { Config } from '@counterfoil/config';
import { Log } from '@counterfoil/observability';
import { DocumentFetcher } from './document-fetcher';
import { type ClaimedReading, ReadingRequests, type ReadingTerms } from './ports/reading-requests';
import { ReceiptReader } from './ports/receipt-reader';
import { ReceiptReadings } from './ports/receipt-readings';
import { ReadReceipts } from './read-receipts';
import { longestReadingMs } from './reading-slots';

const TIMEOUT_MS = 1_000;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

it('uses the slots of readings that hang for others, after the longest time that a reading takes', async () => {
  let claimed = 0;
  const claim = ({ texts }: ReadingTerms): Promise<ClaimedReading | null> => {
    if (!texts) return Promise.resolve(null);
    claimed += 1;
    const named = { id: claimed, claimId: `claim ${claimed}`, companyId: 1, of: { fileId: claimed } };
    return Promise.resolve({ ...named, attempts: 1, declaredKind: null, isImage: false });
  };
  const requests = Object.assign(Object.create(ReadingRequests.prototype) as ReadingRequests, {
    claim,
    renew: (claimIds: readonly string[]) => Promise.resolve(claimIds),
  });
  const readings = Object.assign(Object.create(ReceiptReadings.prototype) as ReceiptReadings, {
    find: () => Promise.resolve(null),
  });
  const fetcher = Object.assign(Object.create(DocumentFetcher.prototype) as DocumentFetcher, {
    fetch: () => Promise.resolve({ bytes: Buffer.from('x') }),
  });
  // It ignores that a reading is withdrawn.
  const reader = Object.assign(Object.create(ReceiptReader.prototype) as ReceiptReader, {
    read: () => new Promise(() => undefined),
    heldBack: () => [],
  });
  const log = Object.assign(Object.create(Log.prototype) as Log, { warn: () => undefined });
  const config = Object.assign(Object.create(Config.prototype) as Config, {
    extraction: { documentTimeoutMs: TIMEOUT_MS },
  });
  const worker = new ReadReceipts(requests, readings, fetcher, reader, log, config);
  await worker.execute();
  const slots = claimed;
  await jest.advanceTimersByTimeAsync(longestReadingMs(TIMEOUT_MS) - 1);
  await worker.execute();
  expect(claimed).toBe(slots);
  await jest.advanceTimersByTimeAsync(1);
  await worker.execute();
  expect(claimed).toBe(2 * slots);
});
