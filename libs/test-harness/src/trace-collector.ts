import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Null at the root of a trace. */
  readonly parentSpanId: string | null;
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly failed: boolean;
  /** `service.name` of the process. */
  readonly service: string;
  readonly durationMs: number;
}

/** How a collector answers exports. */
export type CollectorMood = 'accept' | 'refuse' | 'hang';

/** Stands for an OpenTelemetry collector that takes OTLP as JSON over HTTP. */
export interface TraceCollector {
  /** The settings of a service that exports to it. */
  readonly settings: Readonly<Record<string, string>>;
  readonly spans: readonly CollectedSpan[];
  /** Everything that was exported, to search for what must not be in it. */
  readonly text: string;
  readonly exports: readonly { readonly path: string; readonly headers: IncomingHttpHeaders }[];
  beInMood(mood: CollectorMood): void;
  /** The spans of a trace, in the order of their export. */
  ofTrace(traceId: string): CollectedSpan[];
  close(): Promise<void>;
}

export async function startTraceCollector(): Promise<TraceCollector> {
  const bodies: string[] = [];
  const spans: CollectedSpan[] = [];
  const exports: { path: string; headers: IncomingHttpHeaders }[] = [];
  let mood: CollectorMood = 'accept';
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      exports.push({ path: request.url ?? '', headers: request.headers });
      if (mood === 'hang') return;
      if (mood === 'refuse') return void response.writeHead(400).end();
      const body = Buffer.concat(chunks).toString('utf8');
      bodies.push(body);
      spans.push(...spansIn(JSON.parse(body) as Export));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    settings: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      // A test may call more often than the default sampler records.
      OTEL_TRACES_SAMPLER: 'parentbased_always_on',
    },
    spans,
    get text() {
      return bodies.join('\n');
    },
    exports,
    beInMood: (next) => {
      mood = next;
    },
    ofTrace: (traceId) => spans.filter((span) => span.traceId === traceId),
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

interface Value {
  readonly stringValue?: string;
  readonly intValue?: number | string;
  readonly doubleValue?: number;
  readonly boolValue?: boolean;
}

type Attributes = readonly { readonly key: string; readonly value: Value }[];

/** The parts of `ExportTraceServiceRequest` that tests look at. */
interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Attributes };
    readonly scopeSpans: readonly { readonly spans: readonly ExportedSpan[] }[];
  }[];
}

interface ExportedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: Attributes;
  readonly status: { readonly code: number };
}

const ERROR = 2;

function spansIn({ resourceSpans }: Export): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(valuesOf(resource.attributes)['service.name']);
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => collected(span, service)));
  });
}

function collected(span: ExportedSpan, service: string): CollectedSpan {
  const { traceId, spanId, parentSpanId, name, attributes, status } = span;
  const nanoseconds = BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano);
  return {
    ...{ traceId, spanId, name, service },
    parentSpanId: parentSpanId ?? null,
    attributes: valuesOf(attributes),
    failed: status.code === ERROR,
    durationMs: Number(nanoseconds) / 1e6,
  };
}

function valuesOf(attributes: Attributes): Record<string, string | number | boolean> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, valueOf(value)]));
}

function valueOf({ stringValue, intValue, doubleValue, boolValue }: Value): string | number | boolean {
  if (intValue !== undefined) return Number(intValue);
  return stringValue ?? doubleValue ?? boolValue ?? '';
}
