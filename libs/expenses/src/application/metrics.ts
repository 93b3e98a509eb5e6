import { Histogram } from 'prom-client';

export const receiptReadingSeconds = new Histogram({
  name: 'counterfoil_receipt_reading_seconds',
  help: 'Time to read one document, including its wait for the reader, by source or by failure',
  labelNames: ['outcome'] as const,
  buckets: [0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30],
});
