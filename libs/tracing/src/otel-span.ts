import {
  type Context,
  ROOT_CONTEXT,
  type Span as OtelApiSpan,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api';
import type { Attributes, Span } from './span';

/** A span of the SDK. */
export class OtelSpan implements Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
  isEnded = false;
  private ownContext: Context | undefined;

  constructor(private readonly span: OtelApiSpan) {
    const { traceId, spanId, traceFlags } = span.spanContext();
    this.traceId = traceId;
    this.spanId = spanId;
    this.isSampled = (traceFlags & TraceFlags.SAMPLED) !== 0;
  }

  /** The context in which this span is the parent. Most spans are not parents. */
  get context(): Context {
    return (this.ownContext ??= trace.setSpan(ROOT_CONTEXT, this.span));
  }

  set(attributes: Attributes): void {
    this.span.setAttributes(attributes);
  }

  fail(type: string): void {
    this.span.setAttribute('error.type', type);
    this.span.setStatus({ code: SpanStatusCode.ERROR });
  }

  /** @param at as `performance.now()` returned it; now by default */
  end(at?: number): void {
    if (this.isEnded) return;
    this.isEnded = true;
    this.span.end(at);
  }

  /** The SDK exports only spans that end. */
  discard(): void {
    this.isEnded = true;
  }
}
