export { rateLimitedTotal } from './metrics';
export { PurgeRateCounters } from './purge-rate-counters';
export { type Count, RateCounters, type Subject } from './rate-counters';
export { RateLimitsModule } from './rate-limits.module';
export { RATE_LIMITS_MIGRATIONS } from './migrations';
