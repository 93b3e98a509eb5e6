import { Histogram } from 'prom-client';

export const httpRequestSeconds = new Histogram({
  name: 'counterfoil_http_request_seconds',
  help: 'Time to answer a request, by route pattern and status',
  labelNames: ['method', 'route', 'status'] as const,
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
});
