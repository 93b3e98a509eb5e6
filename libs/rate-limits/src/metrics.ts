import { Counter } from 'prom-client';

export const rateLimitedTotal = new Counter({
  name: 'counterfoil_rate_limited_total',
  help: 'Requests refused by a rate limit of this process, by the limit (key, company, failed-keys, shared-pages)',
  labelNames: ['policy'] as const,
});
