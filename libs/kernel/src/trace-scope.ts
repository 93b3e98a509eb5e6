import { ContextVariable } from './context-variable';

/** The span of a trace that the current work belongs to. Only `libs/tracing` creates one. */
export interface TraceScope {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  /** Work that outlives its span, such as a loop that a request has started, belongs to no trace. */
  readonly isEnded: boolean;
}

const scope = new ContextVariable<TraceScope>();

/** Runs `work`, and everything it calls, as a part of this span. */
export function inTraceScope<T>(span: TraceScope, work: () => T): T {
  return scope.run(span, work);
}

/** Runs work for several callers outside of any trace. */
export function outsideTraces<T>(work: () => T): T {
  return scope.get() === undefined ? work() : scope.run(undefined, work);
}

/** Undefined if tracing is off, and outside of traces. */
export function currentTraceScope(): TraceScope | undefined {
  const span = scope.get();
  return span?.isEnded ? undefined : span;
}
