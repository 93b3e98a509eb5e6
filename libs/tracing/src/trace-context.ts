/** The headers of the W3C Trace Context (https://www.w3.org/TR/trace-context/), by which a trace is continued. */
export interface TraceHeaders {
  readonly traceparent: string;
  readonly tracestate?: string;
}

/** Writes the headers as one text, for a column or a job. Neither part contains a blank at its ends. */
export function storedTraceOf({ traceparent, tracestate }: TraceHeaders): string {
  return tracestate === undefined ? traceparent : `${traceparent} ${tracestate}`;
}

export function headersOfStored(trace: string): TraceHeaders {
  const end = trace.indexOf(' ');
  if (end < 0) return { traceparent: trace };
  return { traceparent: trace.slice(0, end), tracestate: trace.slice(end + 1) };
}
