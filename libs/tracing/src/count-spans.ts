import { type Counter as OtelCounter, createNoopMeter, type MeterProvider } from '@opentelemetry/api';
import { traceSpansTotal } from './metrics';

/** The counter of the SDK for processed spans. Those that are lost have the attribute `error.type`. */
const PROCESSED = 'otel.sdk.processor.span.processed';

const processed: OtelCounter = {
  add: (spans, attributes = {}) =>
    traceSpansTotal.inc({ outcome: attributes['error.type'] ? 'lost' : 'exported' }, spans),
};

/** Passes what the SDK counts of its own work on to our metrics. */
export const countSpans: MeterProvider = {
  getMeter() {
    const meter = createNoopMeter();
    const createCounter = meter.createCounter.bind(meter);
    meter.createCounter = (name, options) => (name === PROCESSED ? processed : createCounter(name, options));
    return meter;
  },
};
