import { RequestCoalescer, inTime, type RateLimit } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { Injectable } from '@nestjs/common';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { CounterStore, STORE_PATIENCE_MS } from './counter-store';

/** The state of a subject's window after one more request. */
export interface Count {
  readonly allowed: boolean;
  /** Requests left in the window. */
  readonly remaining: number;
  /** Seconds until the window ends, at least 1. */
  readonly resetSeconds: number;
}

/** A caller to count, and its limit. */
export interface Subject {
  readonly subject: string;
  readonly limit: RateLimit;
}

/** After a failure, the store is not used for this long, so that requests do not wait for each failure. */
const PAUSE_AFTER_FAILURE_MS = 1_000;

/**
 * Counts requests by subject in time windows, across all processes. While the store is unavailable, each
 * process counts by itself: requests are served, and a subject gets at most its limit in each process.
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
   * Counts one request. Never throws when the store fails, and waits for it at most 250 ms.
   *
   * @param subject the caller to count; each window length has a separate counter
   */
  count(subject: string, limit: RateLimit): Promise<Count> {
    return this.counterOf(limit).count(subject, performance.now() + STORE_PATIENCE_MS);
  }

  /**
   * Counts one request for several subjects, one after the other, until one of them is over its limit. Waits for the
   * store at most 250 ms in all.
   *
   * @returns the counted subjects; only the last may be over its limit
   */
  async countEach<S extends Subject>(subjects: readonly S[]): Promise<(S & { readonly count: Count })[]> {
    const deadline = performance.now() + STORE_PATIENCE_MS;
    const counted: (S & { readonly count: Count })[] = [];
    for (const subject of subjects) {
      const count = await this.counterOf(subject.limit).count(subject.subject, deadline);
      counted.push({ ...subject, count });
      if (!count.allowed) break;
    }
    return counted;
  }

  /** The limits come from the configuration and from operators' settings for companies, so there are few. */
  private counterOf(limit: RateLimit): Counter {
    const name = `${limit.requests}/${limit.windowSeconds}`;
    let counter = this.counters.get(name);
    if (!counter) {
      counter = new Counter(limit, this.store, (work) => this.guarded(work));
      this.counters.set(name, counter);
    }
    return counter;
  }

  /** Returns null while the store is unavailable. */
  private async guarded<T>(work: () => Promise<T>): Promise<T | null> {
    if (performance.now() < this.pausedUntilMs) return null;
    try {
      const result = await work();
      if (this.isStoreAway) this.log.info({}, 'rate limits are counted across all processes again');
      this.isStoreAway = false;
      return result;
    } catch (error) {
      this.pausedUntilMs = performance.now() + PAUSE_AFTER_FAILURE_MS;
      if (!this.isStoreAway)
        this.log.warn({ error }, 'rate limits are counted by each process alone: the store is unavailable');
      this.isStoreAway = true;
      return null;
    }
  }
}

type Guard = <T>(work: () => Promise<T>) => Promise<T | null>;

class Counter {
  private readonly shared: RateLimiterAbstract;
  private readonly local: RateLimiterAbstract;
  private readonly batches = new Map<string, RequestCoalescer<null, Count>>();

  constructor(
    private readonly limit: RateLimit,
    store: CounterStore,
    private readonly guard: Guard,
  ) {
    this.shared = store.limiter(limit);
    this.local = new RateLimiterMemory({ points: limit.requests, duration: limit.windowSeconds });
  }

  /** @param deadline the time until which to wait for the store, on the clock of `performance.now` */
  async count(subject: string, deadline: number): Promise<Count> {
    const name = `${subject}:${this.limit.windowSeconds}`;
    const shared = () => inTime(this.batchOf(name).submit(null), deadline - performance.now());
    return (await this.guard(shared)) ?? this.countOf(await outcome(this.local.consume(name)), 0);
  }

  /**
   * Requests of a subject that arrive while it is being counted are counted together, so that a busy subject
   * causes one statement at a time, and no queue for its row.
   */
  private batchOf(name: string): RequestCoalescer<null, Count> {
    let batch = this.batches.get(name);
    if (!batch) {
      const done = () => void this.batches.delete(name);
      batch = new RequestCoalescer(
        (requests) => this.consume(name, requests.length),
        STORE_PATIENCE_MS,
        done,
      );
      this.batches.set(name, batch);
    }
    return batch;
  }

  private async consume(name: string, requests: number): Promise<Count[]> {
    const result = await outcome(this.shared.consume(name, requests));
    return Array.from({ length: requests }, (_, index) => this.countOf(result, requests - index - 1));
  }

  /** @param later the number of requests of the same batch after this one */
  private countOf({ consumedPoints, msBeforeNext }: RateLimiterRes, later: number): Count {
    // The limiter counts nothing while it knows that the subject is over its limit.
    const position = consumedPoints === 0 ? Infinity : consumedPoints - later;
    return {
      allowed: position <= this.limit.requests,
      remaining: Math.max(0, this.limit.requests - position),
      resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
    };
  }
}

/** The library rejects with the result if the limit is exceeded, and with an error if it could not count. */
async function outcome(consumed: Promise<RateLimiterRes>): Promise<RateLimiterRes> {
  try {
    return await consumed;
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return refusal;
    throw refusal;
  }
}
