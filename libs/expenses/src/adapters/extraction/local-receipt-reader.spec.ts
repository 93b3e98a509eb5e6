import type { Log } from '@counterfoil/observability';
import { type ReaderLoss, ReaderLost, type Reading, type ReceiptSource } from '@counterfoil/receipt-reader';
import { LocalReceiptReader } from './local-receipt-reader';

const READING: Reading = { fields: { total: 12 }, confidence: { total: 1 }, source: 'ocr', pages: 2 };
const CLOCK = { now: () => new Date('2026-11-22T12:00:00Z') };
const LOG = { warn: () => undefined, error: () => undefined } as unknown as Log;

/** A reader whose processes answer like this. */
const readerOf = (read: ReceiptSource['read']) =>
  new LocalReceiptReader({ read, heldBack: () => [], stop: () => undefined }, CLOCK, LOG);

const outcomeOf = (read: ReceiptSource['read']) =>
  readerOf(read).read({
    ...{ companyId: 1, bytes: Buffer.from('%PDF-'), declaredKind: null, recognise: true },
    ...{ named: { requestId: 1, fileId: 1, sha256: '' }, signal: new AbortController().signal },
  });
const afterReading = (reading: Reading) =>
  outcomeOf(() => Promise.resolve({ kind: 'read', reading, text: '' }));
const afterLoss = (loss: ReaderLoss) => outcomeOf(() => Promise.reject(new ReaderLost(loss, '')));

describe('the outcome of a document', () => {
  it('lasts if all pages were read, or as many as are ever read', async () => {
    expect(await afterReading(READING)).toEqual({ reading: READING, stands: 'lasting' });
    const long = { ...READING, pages: 10, pageCount: 14 };
    expect(await afterReading(long)).toEqual({ reading: long, stands: 'lasting' });
  });

  it('is not stored if the time was up before the last page', async () => {
    const cut = { ...READING, pageCount: 3 };
    expect(await afterReading(cut)).toEqual({ reading: cut, stands: 'once' });
  });

  it('is not stored if the time was up before the first page', async () => {
    expect(await afterLoss('time')).toMatchObject({ failure: { code: 'EXTRACTION_FAILED' }, stands: 'once' });
  });

  it('is stored for a while if the document ended the reader', async () => {
    expect(await afterLoss('crash')).toMatchObject({
      failure: { code: 'EXTRACTION_FAILED' },
      stands: 'brief',
    });
  });
});
