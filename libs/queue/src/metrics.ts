import { Counter } from 'prom-client';

export const jobsTotal = new Counter({
  name: 'counterfoil_jobs_total',
  help: 'Jobs run by this worker, by kind and outcome',
  labelNames: ['kind', 'outcome'] as const,
});
