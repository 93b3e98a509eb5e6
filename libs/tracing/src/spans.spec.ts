import { currentTraceScope, inTraceScope, outsideRequests, outsideTraces } from '@counterfoil/kernel';
import { createLog } from '@counterfoil/observability';
import { testConfig } from '@counterfoil/test-harness';
import { SpanStatusCode } from '@opentelemetry/api';
import { ExportResultCode } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import { OtelTracer } from './otel-tracer';
import { NO_SPAN } from './span';
import {
  currentTrace,
  currentTraceHeaders,
  inSpan,
  inStatementSpan,
  inTrace,
  isTracing,
  recordSpan,
  startSpan,
} from './spans';
import { currentTracer, useTracer } from './tracer';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const STORED = `00-${TRACE_ID}-00f067aa0ba902b7-01`;
const done = () => Promise.resolve('done');

describe('without tracing', () => {
  it('work runs alone, and belongs to no trace', async () => {
    expect(isTracing()).toBe(false);
    expect(await inTrace(STORED, { name: 'job' }, (span) => Promise.resolve(span))).toBe(NO_SPAN);
    const uncalled = () => {
      throw new Error('called without a tracer');
    };
    expect(await inTrace(STORED, uncalled, done)).toBe('done');
    expect(await inSpan({ name: 'step' }, done)).toBe('done');
    expect(await inStatementSpan('statement', done)).toBe('done');
    expect(startSpan({ name: 'request' }, null)).toBe(NO_SPAN);
    recordSpan(STORED, { name: 'relay' }, { startedAt: 1, endedAt: 2 });
    expect([currentTrace(), currentTraceHeaders(), currentTraceScope()]).toEqual([null, null, undefined]);
  });
});

describe('with tracing', () => {
  let spans: readonly ReadableSpan[];

  const started = (env: Readonly<Record<string, string>> = {}): void => {
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' };
    const { tracing, ...config } = testConfig('postgres://localhost/none', { ...endpoint, ...env });
    if (!tracing) throw new Error('tracing is off');
    const log = createLog(config, 'test');
    useTracer(new OtelTracer(tracing, { name: 'api', version: '1' }, log, exporter));
  };
  const exporter: SpanExporter = {
    export: (batch, done) => {
      spans = [...spans, ...batch];
      done({ code: ExportResultCode.SUCCESS });
    },
    shutdown: () => Promise.resolve(),
  };
  /** Exports everything, and returns the spans as `name < parent`. */
  const exported = async (): Promise<string[]> => {
    await currentTracer()?.stop();
    const named = new Map(spans.map((span) => [span.spanContext().spanId, span.name]));
    const parentOf = ({ parentSpanContext }: ReadableSpan) =>
      named.get(parentSpanContext?.spanId ?? '') ?? '-';
    return spans.map((span) => `${span.name} < ${parentOf(span)}`);
  };

  beforeEach(() => {
    spans = [];
  });
  afterEach(() => useTracer(null));

  it('work has the span around it as its parent, also at the same time', async () => {
    started();
    const step = (name: string) =>
      inSpan({ name }, async () => {
        await inStatementSpan(`${name}: read`, done);
        await inStatementSpan(() => `${name}: write`, done);
      });
    await inTrace(STORED, { name: 'job' }, () => Promise.all([step('one'), step('two')]));
    expect((await exported()).sort()).toEqual(
      ['job < -', 'one < job', 'one: read < one', 'one: write < one', 'two < job', 'two: read < two']
        .concat('two: write < two')
        .sort(),
    );
    expect(new Set(spans.map((span) => span.spanContext().traceId))).toEqual(new Set([TRACE_ID]));
  });

  it('no span is made outside of a trace', async () => {
    started();
    await inSpan({ name: 'step' }, () => inStatementSpan('statement', done));
    await inTrace(null, { name: 'job' }, () =>
      Promise.all([
        outsideTraces(() => inSpan({ name: 'of others' }, done)),
        outsideRequests(() => inSpan({ name: 'of all' }, done)),
      ]),
    );
    expect(await exported()).toEqual(['job < -']);
  });

  it('work that outlives its span belongs to no trace', async () => {
    started();
    let goOn = () => undefined as void;
    const resumed = new Promise<void>((resolve) => (goOn = resolve));
    let loop: Promise<unknown> = Promise.resolve();
    await inTrace(null, { name: 'request' }, async () => {
      loop = resumed.then(() => inSpan({ name: 'later' }, () => Promise.resolve(currentTrace())));
      await done();
    });
    goOn();
    expect(await loop).toBeNull();
    expect(await exported()).toEqual(['request < -']);
  });

  it('the current trace names the current span, and is continued elsewhere', async () => {
    started();
    let stored: string | null = null;
    await inTrace(`${STORED} vendor=opaque`, { name: 'request' }, async (span) => {
      stored = currentTrace();
      expect(stored).toBe(`00-${TRACE_ID}-${span.spanId}-01 vendor=opaque`);
      expect(currentTraceHeaders()).toEqual({
        traceparent: `00-${TRACE_ID}-${span.spanId}-01`,
        tracestate: 'vendor=opaque',
      });
      await done();
    });
    await inTrace(stored, () => ({ name: 'attempt' }), done);
    recordSpan(stored, { name: 'relay', failure: 'X' }, { startedAt: 1, endedAt: 3.5 });
    expect(await exported()).toEqual(['request < -', 'attempt < request', 'relay < request']);
    expect(spans[2]).toMatchObject({
      status: { code: SpanStatusCode.ERROR },
      attributes: { 'error.type': 'X' },
    });
    const [seconds, nanoseconds] = spans[2]!.duration;
    expect(seconds * 1_000 + nanoseconds / 1e6).toBeCloseTo(2.5, 3);
  });

  it('a failure is named by its code or class, never by its message', async () => {
    started();
    const failing = (error: unknown) => inSpan({ name: 'step' }, () => Promise.reject(error as Error));
    await inTrace(null, { name: 'job' }, () =>
      Promise.allSettled([
        failing(Object.assign(new Error('Zebrafinch'), { code: '23505' })),
        failing(new TypeError('Zebrafinch')),
        failing('Zebrafinch'),
      ]),
    );
    await exported();
    const types = spans.map(({ attributes }) => attributes['error.type']);
    expect(types).toEqual(['23505', 'TypeError', 'unknown', undefined]);
    const facts = spans.map(({ attributes, status, events }) => ({ attributes, status, events }));
    expect(JSON.stringify(facts)).not.toContain('Zebrafinch');
  });

  it('a discarded span is not exported', async () => {
    started();
    await inTrace(null, { name: 'attempt' }, async (span) => {
      span.discard();
      await done();
    });
    expect(await exported()).toEqual([]);
  });

  it('a trace that the sampler leaves out is continued, and not exported', async () => {
    started({ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' });
    await inTrace(STORED, { name: 'job' }, async () => {
      await inSpan({ name: 'step' }, () => inStatementSpan('statement', done));
      expect(currentTrace()).toMatch(new RegExp(`^00-${TRACE_ID}-[0-9a-f]{16}-00$`));
    });
    expect(await exported()).toEqual([]);
  });

  it.each([
    ['always_on', '00', 1],
    ['always_off', '01', 0],
    ['parentbased_always_off', '01', 1],
    ['parentbased_always_on', '00', 0],
    ['parentbased_traceidratio', '01', 1],
  ])('%s exports, if the caller has the flags %s, %d span', async (OTEL_TRACES_SAMPLER, flags, count) => {
    started({ OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG: '0' });
    await inTrace(STORED.replace(/01$/, flags), { name: 'job' }, done);
    expect(await exported()).toHaveLength(count);
  });

  it('ended spans are not current, and current ones are those of the scope', async () => {
    started();
    const span = startSpan({ name: 'request' }, null);
    expect(inTraceScope(span, () => currentTraceScope())).toBe(span);
    span.end();
    expect(inTraceScope(span, () => currentTraceScope())).toBeUndefined();
    expect(await exported()).toEqual(['request < -']);
  });
});
