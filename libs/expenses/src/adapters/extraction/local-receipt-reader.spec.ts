import type { Log } from '@counterfoil/observability';
import { type ReaderLoss, ReaderLost, type Reading, type ReceiptSource } from '@counterfoil/receipt-reader';
import { ReadingStalled } from '../../application/ports/receipt-reader';
import { LocalReceiptReader } from './local-receipt-reader';

const READING: Reading = {
  fields: { date: '2026-11-21', total: 12 },
  ...{ confidence: { total: 1 }, source: 'ocr', pages: 2 },
};
const CLOCK = { now: () => new Date('2026-11-22T12:00:00Z') };
const PART: Reading = { ...READING, pages: 1, pageCount: 2 };
const logged: unknown[] = [];
const note = (...line: readonly unknown[]) => void logged.push(line);
const LOG = { warn: note, error: note } as unknown as Log;

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
const afterLoss = (loss: ReaderLoss, reading?: Reading) =>
  outcomeOf(() => Promise.reject(new ReaderLost(loss, '', reading && { kind: 'read', reading, text: '' })));

describe('the outcome of a document', () => {
  beforeEach(() => logged.splice(0));

  it('lasts if all pages were read, or as many as are ever read', async () => {
    expect(await afterReading(READING)).toEqual({ reading: READING, stands: 'lasting' });
    const long = { ...READING, pages: 10, pageCount: 14 };
    expect(await afterReading(long)).toEqual({ reading: long, stands: 'lasting' });
  });

  it('is not stored if the time was up before the last page', async () => {
    const cut = { ...READING, pageCount: 3 };
    expect(await afterReading(cut)).toEqual({ reading: cut, stands: 'once' });
  });

  it('is stored for a while if it may have a date tomorrow', async () => {
    const undated = { ...READING, fields: { total: 12 } };
    expect(await afterReading(undated)).toEqual({ reading: undated, stands: 'brief' });
    const invoice = { ...undated, source: 'xml' } as const;
    expect(await afterReading(invoice)).toEqual({ reading: invoice, stands: 'lasting' });
    const noReceipt = { ...READING, fields: {} };
    expect(await afterReading(noReceipt)).toEqual({ reading: noReceipt, stands: 'lasting' });
  });

  it('lasts without pages that are damaged', async () => {
    const damaged = { ...READING, pageCount: 3, unreadablePages: 1 };
    expect(await afterReading(damaged)).toEqual({ reading: damaged, stands: 'lasting' });
    const cut = { ...READING, pageCount: 4, unreadablePages: 1 };
    expect(await afterReading(cut)).toEqual({ reading: cut, stands: 'once' });
    expect(logged).toEqual([]);
  });

  it('is stored for a while without pages at which the reader failed, and logged', async () => {
    const reading = { ...PART, unreadablePages: 1 };
    const outcome = await outcomeOf(() =>
      Promise.resolve({ kind: 'read', reading, text: '', fault: 'Error: x' }),
    );
    expect(outcome).toEqual({ reading, stands: 'brief' });
    expect(logged).toEqual([[expect.objectContaining({ fault: 'Error: x' }), 'the receipt reader failed']]);
  });

  it.each([
    ['time', 'once'],
    ['crash', 'brief'],
  ] as const)(
    'is the pages that were read if the reader was lost (%s), which is logged',
    async (loss, stands) => {
      expect(await afterLoss(loss, PART)).toEqual({ reading: PART, stands });
      expect(logged).toEqual([
        [expect.objectContaining({ loss }), 'the receipt reader ended while it read a document'],
      ]);
    },
  );

  it('is tried again if the machine was too busy, and has the pages that were read', async () => {
    await expect(afterLoss('stalled', PART)).rejects.toEqual(
      expect.objectContaining({ constructor: ReadingStalled, part: { reading: PART, stands: 'once' } }),
    );
    await expect(afterLoss('stalled')).rejects.toHaveProperty('part', undefined);
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
