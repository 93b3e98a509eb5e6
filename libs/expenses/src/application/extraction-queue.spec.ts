import { Config } from '@counterfoil/config';
import { Log } from '@counterfoil/observability';
import { JobQueue } from '@counterfoil/queue';
import { OutcomePoller } from './outcome-poller';
import { ReadingRequests } from './ports/reading-requests';
import { ExtractionQueue } from './extraction-queue';

const request = { companyId: 1, source: 'file 1', of: { fileId: 1 }, declaredKind: null, isImage: false };

const configWith = (timeoutMs: number) =>
  Object.assign(Object.create(Config.prototype) as Config, { extraction: { timeoutMs } });

it('keeps a request wanted whose caller has timed out, and withdraws that of one who is gone', async () => {
  const left: string[] = [];
  const requests = Object.assign(Object.create(ReadingRequests.prototype) as ReadingRequests, {
    ask: () => Promise.resolve(7),
    finishedAmong: () => Promise.resolve([]),
    keepWanted: (id: number) => Promise.resolve(left.push(`keeps ${id}`)),
    withdraw: (id: number) => Promise.resolve(left.push(`withdraws ${id}`)),
  });
  const queue = Object.assign(Object.create(JobQueue.prototype) as JobQueue, {
    signal: () => Promise.resolve(),
  });
  const log = Object.create(Log.prototype) as Log;
  const readings = new ExtractionQueue(requests, new OutcomePoller(requests), queue, configWith(50), log);
  for (const signal of [new AbortController().signal, AbortSignal.abort()])
    await expect(readings.read(request, signal)).rejects.toMatchObject({ code: 'EXTRACTION_TIMEOUT' });
  expect(left).toEqual(['keeps 7', 'withdraws 7']);
});

it('answers a full queue like other full limits: only an operator may set rate limits', async () => {
  const full = Object.assign(Object.create(ReadingRequests.prototype) as ReadingRequests, {
    ask: () => Promise.resolve(null),
  });
  const readings = new ExtractionQueue(
    full,
    new OutcomePoller(full),
    Object.create(JobQueue.prototype) as JobQueue,
    configWith(1_000),
    Object.create(Log.prototype) as Log,
  );
  await expect(readings.read(request, new AbortController().signal)).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    retryAfterSeconds: expect.any(Number),
  });
});
