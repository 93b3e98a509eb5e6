import { Config } from '@counterfoil/config';
import { Log } from '@counterfoil/observability';
import { JobQueue } from '@counterfoil/queue';
import { OutcomePoller } from './outcome-poller';
import { ReadingRequests } from './ports/reading-requests';
import { ExtractionQueue } from './extraction-queue';

const request = { companyId: 1, source: 'file 1', of: { fileId: 1 }, declaredKind: null, isImage: false };

it('answers a full queue like other full limits: only an operator may set rate limits', async () => {
  const full = Object.assign(Object.create(ReadingRequests.prototype) as ReadingRequests, {
    ask: () => Promise.resolve(null),
  });
  const config = Object.assign(Object.create(Config.prototype) as Config, {
    extraction: { timeoutMs: 1_000 },
  });
  const readings = new ExtractionQueue(
    full,
    new OutcomePoller(full),
    Object.create(JobQueue.prototype) as JobQueue,
    config,
    Object.create(Log.prototype) as Log,
  );
  await expect(readings.read(request, new AbortController().signal)).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    retryAfterSeconds: expect.any(Number),
  });
});
