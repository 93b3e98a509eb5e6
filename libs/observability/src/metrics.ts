import { Counter, Histogram } from 'prom-client';

export const httpRequestSeconds = new Histogram({
  name: 'counterfoil_http_request_seconds',
  help: 'Time to answer a request, by route pattern and status',
  labelNames: ['method', 'route', 'status'] as const,
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
});

export const webhookAttemptSeconds = new Histogram({
  name: 'counterfoil_webhook_attempt_seconds',
  help: 'Time of one delivery attempt, by its outcome (delivered, or the class of failure)',
  labelNames: ['outcome'] as const,
  buckets: [0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10],
});

export const jobsTotal = new Counter({
  name: 'counterfoil_jobs_total',
  help: 'Jobs run by this worker, by job and outcome',
  labelNames: ['job', 'outcome'] as const,
});

export const receiptReadingSeconds = new Histogram({
  name: 'counterfoil_receipt_reading_seconds',
  help: 'Time to read one document, its wait for the reader included, by where it was read or why it was not',
  labelNames: ['outcome'] as const,
  buckets: [0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30],
});
