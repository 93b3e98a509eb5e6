import { Config } from '@counterfoil/config';
import { KnownRateLimits, RefusedKey } from '@counterfoil/identity';
import { AppError, type Caller, machineOf, type RateLimit } from '@counterfoil/kernel';
import { type Count, RateCounters, rateLimitedTotal, type Subject } from '@counterfoil/rate-limits';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { namesSession } from './session-cookie';
import type { AuthenticatedRequest } from './route.decorators';

type CountedCaller = Pick<Caller, 'apiKeyId' | 'companyId'>;

interface Counted {
  readonly caller?: CountedCaller;
}

type Limit = Subject & Pick<CountedLimit, 'policy'>;

/** The maximum of addresses in `doubted`. */
const DOUBTED_MAX = 10_000;

/** Counts the requests of each key and company, and the failed keys of each address. Off unless configured. */
@Injectable()
export class LimitRequests {
  /** Addresses that are over the limit of failed keys, with the time until which they are. */
  private readonly doubted = new Map<string, number>();

  constructor(
    private readonly config: Config,
    private readonly known: KnownRateLimits,
    private readonly counters: RateCounters,
  ) {}

  /**
   * Counts a request whose key was accepted. Public routes and links to files have no caller and are not counted.
   *
   * @throws AppError `RATE_LIMITED`
   */
  async countRequest({ caller }: Counted, reply: FastifyReply): Promise<void> {
    if (!caller) return;
    const counted: readonly CountedLimit[] = await this.counters.countEach(await this.limitsOf(caller));
    if (counted.length > 0) void reply.headers(rateLimitHeaders(counted));
    assertAllowed(counted.at(-1));
  }

  /**
   * Counts a request that was refused before its body was read: for its caller, or without one for its address. Keys of
   * an address that is over the limit are then looked up more slowly (`doubtedAddress`). They are not refused, because
   * several callers may share the address, and the failures of one must not lock out the others.
   *
   * @throws AppError `RATE_LIMITED`, to be answered in place of the refusal
   */
  async countRefusal(request: AuthenticatedRequest, reply: FastifyReply, refusal: unknown): Promise<void> {
    const caller = request.caller ?? suspendedCaller(refusal);
    if (caller) return this.countRequest({ caller }, reply);
    const { failedKeys } = this.config.rateLimits;
    if (!failedKeys || !isFailedKey(request, refusal)) return;
    const address = machineOf(request.ip);
    const count = await this.counters.count(`failed:${address}`, failedKeys);
    if (!count.allowed) this.doubt(address, count);
    const counted: CountedLimit = { policy: 'failed-keys', limit: failedKeys, count };
    if (!count.allowed) void reply.headers(rateLimitHeaders([counted]));
    assertAllowed(counted);
  }

  /**
   * Counts a request without a key by its address, for a route that opens something by its path.
   *
   * @throws AppError `RATE_LIMITED`
   */
  async countVisitor({ ip }: FastifyRequest, reply: FastifyReply): Promise<void> {
    const limit = this.config.rateLimits.sharedPages;
    const count = await this.counters.count(`visitor:${machineOf(ip)}`, limit);
    const counted: CountedLimit = { policy: 'shared-pages', limit, count };
    void reply.headers(rateLimitHeaders([counted]));
    assertAllowed(counted);
  }

  /** Returns the address of a request if this process knows that it is over the limit of failed keys, or null. */
  doubtedAddress({ ip }: AuthenticatedRequest): string | null {
    if (this.doubted.size === 0) return null;
    const address = machineOf(ip);
    const untilMs = this.doubted.get(address);
    if (untilMs === undefined) return null;
    if (performance.now() < untilMs) return address;
    this.doubted.delete(address);
    return null;
  }

  private doubt(address: string, { resetSeconds }: Count): void {
    if (this.doubted.size >= DOUBTED_MAX) this.doubted.clear();
    this.doubted.set(address, performance.now() + resetSeconds * 1_000);
  }

  /** Returns the key first: a request that it refuses then does not count against the company's other keys. */
  private async limitsOf({ apiKeyId, companyId }: CountedCaller): Promise<Limit[]> {
    const own = await this.known.find(companyId);
    const key = own.key === undefined ? this.config.rateLimits.key : own.key;
    const company = own.company === undefined ? this.config.rateLimits.company : own.company;
    const limits: Limit[] = [];
    if (key) limits.push({ policy: 'key', subject: `key:${apiKeyId}`, limit: key });
    if (company) limits.push({ policy: 'company', subject: `company:${companyId}`, limit: company });
    return limits;
  }
}

/** Whether a request was refused for its key. One without a key costs no lookup and guesses nothing. */
function isFailedKey(request: AuthenticatedRequest, refusal: unknown): boolean {
  if (!(refusal instanceof AppError)) return false;
  // A session without its cookie has ended in the browser.
  if (namesSession(request)) return refusal.code === 'RATE_LIMITED' || refusal.cause instanceof RefusedKey;
  if (request.headers.authorization === undefined) return false;
  // `RATE_LIMITED`: the key was refused without a lookup.
  return refusal.code === 'UNAUTHENTICATED' || refusal.code === 'RATE_LIMITED';
}

/** The holder of a valid key, whose company is suspended. */
function suspendedCaller(refusal: unknown): CountedCaller | null {
  if (!(refusal instanceof AppError) || refusal.code !== 'COMPANY_SUSPENDED') return null;
  return refusal.cause instanceof RefusedKey ? refusal.cause.key : null;
}

const SUBJECTS: Readonly<Record<CountedLimit['policy'], string>> = {
  key: 'this API key',
  company: 'the keys of this company together',
  'failed-keys': 'callers at this address without a valid API key',
  'shared-pages': 'visitors at this address',
};

function assertAllowed(counted: CountedLimit | undefined): void {
  if (!counted || counted.count.allowed) return;
  const { policy, limit, count } = counted;
  rateLimitedTotal.inc({ policy });
  throw new AppError('RATE_LIMITED', messageOf(policy, limit, count), {
    retryAfterSeconds: count.resetSeconds,
  });
}

function messageOf(
  policy: CountedLimit['policy'],
  { requests, windowSeconds }: CountedLimit['limit'],
  { resetSeconds }: Count,
): string {
  return `${SUBJECTS[policy]} may make ${requests} requests in ${windowSeconds} s: try again after ${resetSeconds} s`;
}

/** One limit that a request was counted by. */
export interface CountedLimit {
  readonly policy: 'key' | 'company' | 'failed-keys' | 'shared-pages';
  readonly limit: RateLimit;
  readonly count: Count;
}

/** The headers of draft-ietf-httpapi-ratelimit-headers-11: lists of strings with parameters (RFC 9651). */
export function rateLimitHeaders(counted: readonly CountedLimit[]): Record<string, string> {
  const policies = counted.map(
    ({ policy, limit }) => `"${policy}";q=${limit.requests};w=${limit.windowSeconds}`,
  );
  const states = counted.map(
    ({ policy, count }) => `"${policy}";r=${count.remaining};t=${count.resetSeconds}`,
  );
  return { 'ratelimit-policy': policies.join(', '), ratelimit: states.join(', ') };
}
