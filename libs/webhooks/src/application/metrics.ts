import { Counter, Histogram } from 'prom-client';

export const webhookAttemptSeconds = new Histogram({
  name: 'counterfoil_webhook_attempt_seconds',
  help: 'Duration of delivery attempts, by outcome (delivered, or the class of failure)',
  labelNames: ['outcome'] as const,
  buckets: [0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10],
});

export const webhookDroppedTotal = new Counter({
  name: 'counterfoil_webhook_dropped_total',
  help: 'Deliveries dropped after the failure of their last attempt',
});
