import type { NewSpan, Span } from './span';
import type { TraceHeaders } from './trace-context';

/** Start and end of work that has ended, as `performance.now()` returned them. */
export interface Timing {
  readonly startedAt: number;
  readonly endedAt: number;
}

/** The process, as it is named in traces. */
export interface TracedProcess {
  /** `api` or `worker`. */
  readonly name: string;
  readonly version: string;
}

/** Creates spans and exports them. There is at most one in a process. */
export interface Tracer {
  /** @param parent headers that are malformed, and null, begin a new trace */
  start(span: NewSpan, parent: Span | TraceHeaders | null): Span;
  /** Creates and ends a span of work that has ended. */
  record(span: NewSpan, parent: TraceHeaders | null, timing: Timing): Span;
  headersOf(span: Span): TraceHeaders;
  /** Exports the remaining spans, within a limit of time. */
  stop(): Promise<void>;
}

let tracer: Tracer | null = null;

/** Null if tracing is off. */
export function currentTracer(): Tracer | null {
  return tracer;
}

export function useTracer(next: Tracer | null): void {
  tracer = next;
}
