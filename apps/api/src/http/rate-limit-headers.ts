import type { RateLimit } from '@counterfoil/kernel';
import type { Count } from '@counterfoil/rate-limits';

/** One limit that a request was counted by. */
export interface CountedLimit {
  readonly policy: 'key' | 'company' | 'failed-keys';
  readonly limit: RateLimit;
  readonly count: Count;
}

/** As draft-ietf-httpapi-ratelimit-headers-11 has them: lists of strings with parameters (RFC 9651). */
export function rateLimitHeaders(counted: readonly CountedLimit[]): Record<string, string> {
  const policies = counted.map(
    ({ policy, limit }) => `"${policy}";q=${limit.requests};w=${limit.windowSeconds}`,
  );
  const states = counted.map(
    ({ policy, count }) => `"${policy}";r=${count.remaining};t=${count.resetSeconds}`,
  );
  return { 'ratelimit-policy': policies.join(', '), ratelimit: states.join(', ') };
}
