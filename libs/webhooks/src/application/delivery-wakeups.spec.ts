import { loadConfig } from '@counterfoil/config';
import { Clock } from '@counterfoil/kernel';
import { JobQueue, type NewJob } from '@counterfoil/queue';
import { DeliveryWakeups } from './delivery-wakeups';
import type { ClaimedDelivery } from './ports/delivery.repository';

const NOW = Date.UTC(2026, 10, 22);

class ListedQueue extends JobQueue {
  protected override readonly log = { warn: () => undefined };
  readonly calls: (readonly NewJob<'webhook.lane'>[])[] = [];

  override add(_name: string, jobs: readonly unknown[]): Promise<void> {
    this.calls.push(jobs as readonly NewJob<'webhook.lane'>[]);
    return Promise.resolve();
  }

  override withdraw(): Promise<void> {
    return Promise.resolve();
  }
}

class MovedClock extends Clock {
  time = NOW;

  override now(): Date {
    return new Date(this.time);
  }
}

const retryIn = (endpointId: string, ms: number) => ({
  claim: { endpointId, companyId: 1, tries: 0 } as ClaimedDelivery,
  dueAt: new Date(NOW + ms),
});

describe('the jobs of retries', () => {
  const config = loadConfig({
    DATABASE_URL: 'postgres://a',
    SECRETS_KEY: 'x'.repeat(32),
    WEBHOOK_RETRY_DELAYS: '10s',
  });
  let queue: ListedQueue;
  let clock: MovedClock;
  let jobs: DeliveryWakeups;

  beforeEach(() => {
    jest.useFakeTimers();
    queue = new ListedQueue();
    clock = new MovedClock();
    jobs = new DeliveryWakeups(queue, config, clock);
  });

  afterEach(() => jest.useRealTimers());

  it('are queued together if they are not due soon', async () => {
    for (let number = 0; number < 50; number++) await jobs.wakeForRetries([retryIn(`we_${number}`, 10_000)]);
    expect(queue.calls).toEqual([]);
    await jest.advanceTimersByTimeAsync(100);
    expect(queue.calls.map((call) => call.length)).toEqual([50]);
  });

  it('are queued at once if they are due soon', async () => {
    await jobs.wakeForRetries([retryIn('we_1', 900)]);
    expect(queue.calls).toEqual([
      [{ id: `we_1-${NOW + 900}`, payload: { endpointId: 'we_1', companyId: 1 }, delayMs: 900 }],
    ]);
  });

  it('keep their due time, however long they waited to be queued', async () => {
    await jobs.wakeForRetries([retryIn('we_1', 10_000)]);
    clock.time += 80;
    await jobs.addGathered();
    expect(queue.calls[0]?.map(({ delayMs }) => delayMs)).toEqual([9_920]);
  });

  it('are not queued twice', async () => {
    await jobs.wakeForRetries([retryIn('we_1', 10_000), retryIn('we_1', 9_999)]);
    await jobs.addGathered();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(queue.calls.flat()).toHaveLength(1);
  });
});
