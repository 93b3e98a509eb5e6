import { Counter } from 'prom-client';

export const traceSpansTotal = new Counter({
  name: 'counterfoil_trace_spans_total',
  help: 'Spans that were exported, or lost because the exporter failed or was too slow',
  labelNames: ['outcome'] as const,
});
