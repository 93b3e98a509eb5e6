import type { TraceScope } from '@counterfoil/kernel';

/**
 * Facts about the work: ids, counts, states, names from the code. Never contents, names of customers, keys, or the
 * text of an error. Undefined values are left out.
 */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** `server` answers a request, `client` sends one, `producer` leaves work for later, `consumer` does it. */
export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer';

export interface NewSpan {
  /** Few different values: the name of a use case, a statement or a route, never an id. */
  readonly name: string;
  /** Default: `internal`. */
  readonly kind?: SpanKind;
  readonly attributes?: Attributes;
  /** For work that has ended: a code or the name of a class. Left out: it succeeded. */
  readonly failure?: string | undefined;
}

/** A piece of work in a trace, from its start until `end`. */
export interface Span extends TraceScope {
  /** False: the sampler has decided against this trace. It has an id, but nothing of it is exported. */
  readonly isSampled: boolean;
  set(attributes: Attributes): void;
  /** Marks the work as failed. @param type a code or the name of a class */
  fail(type: string): void;
  /** Has no effect on a span that has ended. */
  end(): void;
  /** Ends the span without exporting it. */
  discard(): void;
}

/** Stands for the span if tracing is off. */
export const NO_SPAN: Span = {
  traceId: '',
  spanId: '',
  isEnded: true,
  isSampled: false,
  set: () => undefined,
  fail: () => undefined,
  end: () => undefined,
  discard: () => undefined,
};
