import { RateLimits1795474800000 } from './1795474800000-rate-limits';

export const RATE_LIMITS_MIGRATIONS = [RateLimits1795474800000];
