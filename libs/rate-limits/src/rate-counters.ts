import { Batches, inTime, type RateLimit } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { Injectable } from '@nestjs/common';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { CounterStore, STORE_PATIENCE_MS } from './counter-store';

/** Where a subject stands after one more request. */
export interface Count {
  readonly allowed: boolean;
  /** Requests left in the window. */
  readonly remaining: number;
  /** Until the window ends, at least 1. */
  readonly resetSeconds: number;
}

/** A store that failed is not asked again for this long: a request must not wait for each failure. */
const PAUSE_AFTER_FAILURE_MS = 1_000;

/**
 * Counts requests by subject in windows of time, over all processes. While the store is away each process counts by
 * itself: requests go on, and a subject gets at most its limit from each process.
 */
@Injectable()
export class RateCounters {
  private readonly counters = new Map<string, Counter>();
  private pausedUntilMs = 0;
  private isStoreAway = false;

  constructor(
    private readonly store: CounterStore,
    private readonly log: Log,
  ) {}

  /**
   * Counts one request. Never throws for the store's sake, and waits for it 250 ms at most.
   *
   * @param subject who is counted; the same subject under another window is another counter
   */
  count(subject: string, limit: RateLimit): Promise<Count> {
    return this.counterOf(limit).count(subject);
  }

  /** Limits are the installation's and those set for companies: as many as an operator writes. */
  private counterOf(limit: RateLimit): Counter {
    const name = `${limit.requests}/${limit.windowSeconds}`;
    let counter = this.counters.get(name);
    if (!counter) {
      counter = new Counter(limit, this.store, (work) => this.guarded(work));
      this.counters.set(name, counter);
    }
    return counter;
  }

  /** Answers null while the store is away. */
  private async guarded<T>(work: () => Promise<T>): Promise<T | null> {
    if (performance.now() < this.pausedUntilMs) return null;
    try {
      const result = await work();
      if (this.isStoreAway) this.log.info({}, 'rate limits are counted by all processes together again');
      this.isStoreAway = false;
      return result;
    } catch (error) {
      this.pausedUntilMs = performance.now() + PAUSE_AFTER_FAILURE_MS;
      if (!this.isStoreAway)
        this.log.warn({ error }, 'rate limits are counted by this process alone: their store is away');
      this.isStoreAway = true;
      return null;
    }
  }
}

type Guard = <T>(work: () => Promise<T>) => Promise<T | null>;

/** The counters under one limit. */
class Counter {
  private readonly shared: RateLimiterAbstract;
  private readonly local: RateLimiterAbstract;
  private readonly batches = new Map<string, Batches<null, Count>>();

  constructor(
    private readonly limit: RateLimit,
    store: CounterStore,
    private readonly guard: Guard,
  ) {
    this.shared = store.limiter(limit);
    this.local = new RateLimiterMemory({ points: limit.requests, duration: limit.windowSeconds });
  }

  /**
   * Requests of one subject that come while it is being counted are counted together: a busy subject costs one
   * statement at a time, and no queue forms at its row.
   */
  count(subject: string): Promise<Count> {
    let batch = this.batches.get(subject);
    if (!batch) {
      const done = () => void this.batches.delete(subject);
      batch = new Batches((asked) => this.consume(subject, asked.length), STORE_PATIENCE_MS, done);
      this.batches.set(subject, batch);
    }
    return batch.ask(null);
  }

  private async consume(subject: string, requests: number): Promise<Count[]> {
    const name = `${subject}:${this.limit.windowSeconds}`;
    const result =
      (await this.guard(() => inTime(outcome(this.shared.consume(name, requests)), STORE_PATIENCE_MS))) ??
      (await outcome(this.local.consume(name, requests)));
    return Array.from({ length: requests }, (_, index) => this.countOf(result, requests - index - 1));
  }

  /** @param later how many of the requests that were counted together come after this one */
  private countOf({ consumedPoints, msBeforeNext }: RateLimiterRes, later: number): Count {
    // Nothing was counted where the limiter remembers that the subject is over its limit.
    const position = consumedPoints === 0 ? Infinity : consumedPoints - later;
    return {
      allowed: position <= this.limit.requests,
      remaining: Math.max(0, this.limit.requests - position),
      resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
    };
  }
}

/** The library rejects with the result of a request over the limit, and with an error when it could not count. */
async function outcome(consumed: Promise<RateLimiterRes>): Promise<RateLimiterRes> {
  try {
    return await consumed;
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return refusal;
    throw refusal;
  }
}
