import { Counter } from 'prom-client';

export const jobsTotal = new Counter({
  name: 'counterfoil_jobs_total',
  help: 'Jobs run by this worker, by job and outcome',
  labelNames: ['job', 'outcome'] as const,
});
