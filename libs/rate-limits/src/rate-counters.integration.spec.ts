import type { RateLimit } from '@counterfoil/kernel';
import {
  hasOwnRedis,
  openTestContext,
  queueStores,
  startOwnRedis,
  startTcpProxy,
  startTestContext,
  type TestContext,
  until,
} from '@counterfoil/test-harness';
import { Module } from '@nestjs/common';
import { type Count, RateCounters } from './rate-counters';
import { RateLimitsModule } from './rate-limits.module';
import { PurgeRateCounters } from './purge-rate-counters';

/** The modules of the worker, which has no counters of its own. */
@Module({ providers: [PurgeRateCounters] })
class PurgeModule {}

/** The time that a busy machine may add. */
const SCHEDULING_MS = 1_250;
const HOURLY: RateLimit = { requests: 100, windowSeconds: 3600 };

const allowedOf = (counts: readonly Count[]) => counts.filter(({ allowed }) => allowed).length;

describe.each(queueStores())('counters of requests on $kind', ({ kind, redisUrl }) => {
  const env = { REDIS_URL: redisUrl ?? '' };
  let context: TestContext;
  let counters: RateCounters;
  let subject = 0;

  beforeAll(async () => {
    context = await startTestContext([RateLimitsModule, PurgeModule], undefined, env);
    counters = context.get(RateCounters);
  });
  afterAll(() => context.close());
  const newSubject = () => `company:${(subject += 1)}`;

  const countTimes = (times: number, name: string, limit: RateLimit, by = [counters]) =>
    Promise.all(Array.from({ length: times }, (_, index) => by[index % by.length]!.count(name, limit)));

  it('allow exactly the limit for concurrent requests of several processes', async () => {
    const other = await openTestContext(context.config, [RateLimitsModule]);
    try {
      const both = [counters, other.get(RateCounters)];
      for (let round = 0; round < 5; round += 1) {
        const name = newSubject();
        const counts = await countTimes(240, name, HOURLY, both);
        expect(allowedOf(counts)).toBe(100);
        // Each position in the window is given once.
        const positions = counts.filter(({ allowed }) => allowed).map(({ remaining }) => remaining);
        expect(positions.sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, place) => place));
      }
    } finally {
      await other.close();
    }
  });

  it('report the remaining requests and the end of the window', async () => {
    const name = newSubject();
    expect(await counters.count(name, HOURLY)).toEqual({ allowed: true, remaining: 99, resetSeconds: 3600 });
    await countTimes(99, name, HOURLY);
    const refused = await counters.count(name, HOURLY);
    expect(refused).toMatchObject({ allowed: false, remaining: 0 });
    expect(refused.resetSeconds).toBeGreaterThan(3590);
  });

  it('restart when the window ends', async () => {
    const name = newSubject();
    const brief = { requests: 2, windowSeconds: 1 };
    expect(allowedOf(await countTimes(5, name, brief))).toBe(2);
    await until('the next window', async () => (await counters.count(name, brief)).allowed);
  });

  it('end at the same time for processes whose clocks differ', async () => {
    const name = newSubject();
    const real = Date.now;
    try {
      for (let count = 1; count <= 20; count += 1) {
        const aheadMs = count % 2 === 0 ? 7_200_000 : 0;
        jest.spyOn(Date, 'now').mockImplementation(() => real() + aheadMs);
        const { remaining, resetSeconds } = await counters.count(name, HOURLY);
        expect(remaining).toBe(100 - count);
        expect(resetSeconds).toBeLessThanOrEqual(3600);
      }
    } finally {
      jest.restoreAllMocks();
    }
  });

  it('continue when the limit of a subject changes', async () => {
    const name = newSubject();
    expect(allowedOf(await countTimes(120, name, HOURLY))).toBe(100);
    const raised = { requests: 300, windowSeconds: 3600 };
    // Refused requests were counted too, if they reached the store.
    const { allowed, remaining } = await counters.count(name, raised);
    expect(allowed).toBe(true);
    expect(remaining).toBeLessThan(200);
    expect((await counters.count(name, { requests: 300, windowSeconds: 60 })).remaining).toBe(299);
  });

  if (redisUrl !== null) {
    it.each(['delayed', 'silent'])('wait at most 250 ms for all subjects when it is %s', async (how) => {
      const wire = await startTcpProxy(redisUrl);
      const wired = await openTestContext({ ...context.config, redisUrl: wire.url }, [RateLimitsModule]);
      const subjects = Array.from({ length: 12 }, () => ({ subject: newSubject(), limit: HOURLY }));
      const tookMs = async () => {
        const started = performance.now();
        const counted = await wired.get(RateCounters).countEach(subjects);
        expect(allowedOf(counted.map(({ count }) => count))).toBe(subjects.length);
        return performance.now() - started;
      };
      try {
        await tookMs();
        if (how === 'silent') wire.silence();
        // In each direction, so that a single answer comes in time.
        else wire.delay(90);
        expect(await tookMs()).toBeLessThan(250 + SCHEDULING_MS);
      } finally {
        await wired.close();
        await wire.close();
      }
    });
  }

  if (kind === 'postgresql') {
    it('are deleted when their window has ended, and not before', async () => {
      const [ended, running] = [newSubject(), newSubject()];
      await counters.count(ended, { requests: 5, windowSeconds: 1 });
      await counters.count(running, HOURLY);
      const purge = new AbortController().signal;
      const left = () =>
        context.database.query<{ key: string }>(
          'select key from rate_limit_counters where key = any ($1) order by key',
          [[`${ended}:1`, `${running}:3600`]],
        );
      await until('the end of the window', async () => {
        await context.get(PurgeRateCounters).execute(purge);
        return (await left()).length === 1;
      });
      expect(await left()).toEqual([{ key: `${running}:3600` }]);
    });
  }
});

if (hasOwnRedis()) {
  it('counters on a Redis that becomes a replica continue on the new primary', async () => {
    const [before, after] = await Promise.all([startOwnRedis(), startOwnRedis()]);
    const wire = await startTcpProxy(before.url);
    const context = await startTestContext([RateLimitsModule], undefined, { REDIS_URL: wire.url });
    const other = await openTestContext({ ...context.config, redisUrl: after.url }, [RateLimitsModule]);
    try {
      const limit = { requests: 100_000, windowSeconds: 3600 };
      const count = () => context.get(RateCounters).count('key:1', limit);
      expect((await count()).remaining).toBe(99_999);
      wire.leadTo(after.url);
      await before.follow(after);
      await Promise.all(Array.from({ length: 1_000 }, () => other.get(RateCounters).count('key:1', limit)));
      await until('both to count together', async () => (await count()).remaining < 99_000);
    } finally {
      await Promise.all([other.close(), context.close()]);
      await wire.close();
      await Promise.all([before.stop(), after.stop()]);
    }
  });
}
