import { Histogram } from 'prom-client';

export const receiptReadingSeconds = new Histogram({
  name: 'counterfoil_receipt_reading_seconds',
  help: 'Time to read one document, its wait for the reader included, by where it was read or why it was not',
  labelNames: ['outcome'] as const,
  buckets: [0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30],
});
