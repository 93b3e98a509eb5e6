import type { TracingConfig } from '@counterfoil/config';
import { inTime } from '@counterfoil/kernel';
import type { Log } from '@counterfoil/observability';
import { type Context, ROOT_CONTEXT, SpanKind as OtelKind, type Tracer as OtelApi } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { countSpans } from './count-spans';
import { createExporter } from './exporter';
import { OtelSpan } from './otel-span';
import { samplerOf } from './sampler';
import type { NewSpan, Span, SpanKind } from './span';
import type { TraceHeaders } from './trace-context';
import type { Timing, TracedProcess, Tracer } from './tracer';

/** Spans that wait for the exporter. Beyond them, spans are dropped, and counted as lost. */
const WAITING_MAX = 8_192;
/** Serializing a batch blocks the event loop, by some milliseconds. */
const BATCH_MAX = 512;
const BATCH_PAUSE_MS = 1_000;
/** A part of the ten seconds in which a process must stop. */
const STOP_MAX_MS = 1_000;

const KINDS: Readonly<Record<SpanKind, OtelKind>> = {
  internal: OtelKind.INTERNAL,
  server: OtelKind.SERVER,
  client: OtelKind.CLIENT,
  producer: OtelKind.PRODUCER,
  consumer: OtelKind.CONSUMER,
};

const W3C = new W3CTraceContextPropagator();
const getter = {
  get: (headers: Readonly<Record<string, string | undefined>>, name: string) => headers[name],
  keys: (headers: object) => Object.keys(headers),
};
const setter = {
  set: (headers: Record<string, string>, name: string, value: string) => void (headers[name] = value),
};

/** Creates spans with the OpenTelemetry SDK, and sends them to the configured endpoint by OTLP. */
export class OtelTracer implements Tracer {
  private readonly provider: TracerProvider;
  private readonly tracer: OtelApi;

  constructor(
    config: TracingConfig,
    traced: TracedProcess,
    private readonly log: Log,
    exporter = createExporter(config, log),
  ) {
    const processor = new BatchSpanProcessor({
      exporter,
      maxQueueSize: WAITING_MAX,
      maxExportBatchSize: BATCH_MAX,
      scheduledDelayMillis: BATCH_PAUSE_MS,
      selfObsMeterProvider: countSpans,
    });
    this.provider = new TracerProvider({
      resource: resourceOf(config, traced),
      sampler: samplerOf(config),
      spanProcessors: [processor],
    });
    this.tracer = this.provider.getTracer('counterfoil', traced.version);
  }

  start(span: NewSpan, parent: Span | TraceHeaders | null): Span {
    return this.open(span, contextOf(parent));
  }

  record(span: NewSpan, parent: TraceHeaders | null, { startedAt, endedAt }: Timing): Span {
    const recorded = this.open(span, contextOf(parent), startedAt);
    if (span.failure !== undefined) recorded.fail(span.failure);
    recorded.end(endedAt);
    return recorded;
  }

  headersOf(span: Span): TraceHeaders {
    const headers: Record<string, string> = {};
    if (span instanceof OtelSpan) W3C.inject(span.context, headers, setter);
    return headers as unknown as TraceHeaders;
  }

  async stop(): Promise<void> {
    await inTime(this.provider.shutdown(), STOP_MAX_MS).catch((error: unknown) =>
      this.log.warn({ error }, 'the last spans could not be exported'),
    );
  }

  private open(
    { name, kind = 'internal', attributes }: NewSpan,
    parent: Context,
    startTime?: number,
  ): OtelSpan {
    const options = {
      kind: KINDS[kind],
      ...(attributes && { attributes }),
      ...(startTime !== undefined && { startTime }),
    };
    return new OtelSpan(this.tracer.startSpan(name, options, parent));
  }
}

function contextOf(parent: Span | TraceHeaders | null): Context {
  if (parent === null) return ROOT_CONTEXT;
  if (parent instanceof OtelSpan) return parent.context;
  return W3C.extract(ROOT_CONTEXT, parent, getter);
}

/** Names of the operator come last, and win. */
function resourceOf({ serviceName, resourceAttributes }: TracingConfig, { name, version }: TracedProcess) {
  return resourceFromAttributes({
    'service.name': `counterfoil-${name}`,
    'service.version': version,
    'service.instance.id': crypto.randomUUID(),
    'counterfoil.process': name,
    ...resourceAttributes,
    ...(serviceName !== null && { 'service.name': serviceName }),
  });
}
