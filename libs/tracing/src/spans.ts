import { currentTraceScope, inTraceScope } from '@counterfoil/kernel';
import { type NewSpan, NO_SPAN, type Span } from './span';
import { headersOfStored, storedTraceOf, type TraceHeaders } from './trace-context';
import { currentTracer, type Timing } from './tracer';

export function isTracing(): boolean {
  return currentTracer() !== null;
}

const currentSpan = (): Span | undefined => currentTraceScope() as Span | undefined;

/** Runs `work` in a span of the current trace. Outside of traces it only runs it. */
export function inSpan<T>(span: NewSpan, work: (span: Span) => Promise<T>): Promise<T> {
  const parent = currentSpan();
  const tracer = currentTracer();
  return tracer && parent?.isSampled ? during(tracer.start(span, parent), work) : work(NO_SPAN);
}

/**
 * Runs `work` in a span that continues a trace of another process, or begins one.
 *
 * @param stored from `currentTrace`; null begins a new trace
 * @param span a function is called only if tracing is on
 */
export function inTrace<T>(
  stored: string | null,
  span: NewSpan | (() => NewSpan),
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const tracer = currentTracer();
  if (!tracer) return work(NO_SPAN);
  const begun = typeof span === 'function' ? span() : span;
  return during(tracer.start(begun, headersOf(stored)), work);
}

/** Starts a span that continues the trace of a caller, or begins one. `NO_SPAN` if tracing is off. */
export function startSpan(span: NewSpan, headers: TraceHeaders | null): Span {
  return currentTracer()?.start(span, headers) ?? NO_SPAN;
}

/**
 * Adds a span of work that has ended to a trace, or begins one.
 *
 * @param stored from `currentTrace`; null begins a new trace
 */
export function recordSpan(stored: string | null, span: NewSpan, timing: Timing): void {
  currentTracer()?.record(span, headersOf(stored), timing);
}

/**
 * Runs a statement of the database in a span of the current trace. Nothing else can become a part of this span,
 * which makes it cheaper than `inSpan`.
 *
 * @param name of the statement, without values, or what makes it
 */
export function inStatementSpan<T>(name: string | (() => string), run: () => Promise<T>): Promise<T> {
  const parent = currentSpan();
  const tracer = currentTracer();
  if (!tracer || !parent?.isSampled) return run();
  const named = typeof name === 'string' ? name : name();
  return toItsEnd(tracer.start({ name: named, kind: 'client', attributes: DATABASE }, parent), run);
}

const DATABASE = { 'db.system.name': 'postgresql' } as const;

/** The current trace, for a column or a job with which another process continues it. Null if there is none. */
export function currentTrace(): string | null {
  const headers = currentTraceHeaders();
  return headers && storedTraceOf(headers);
}

/** The headers that name the current span as the parent. Null if there is none. */
export function currentTraceHeaders(): TraceHeaders | null {
  const span = currentSpan();
  return (span && currentTracer()?.headersOf(span)) ?? null;
}

/** The failure of work as an attribute: its code or class. Messages may contain data. */
export function failureOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' ? code : error.name;
}

function during<T>(span: Span, work: (span: Span) => Promise<T>): Promise<T> {
  return inTraceScope(span, () => toItsEnd(span, () => work(span)));
}

async function toItsEnd<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    span.fail(failureOf(error));
    throw error;
  } finally {
    span.end();
  }
}

function headersOf(stored: string | null): TraceHeaders | null {
  return stored === null ? null : headersOfStored(stored);
}
