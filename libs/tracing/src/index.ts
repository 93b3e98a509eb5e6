export { NO_SPAN, type Attributes, type NewSpan, type Span } from './span';
export {
  currentTrace,
  currentTraceHeaders,
  failureOf,
  inSpan,
  inStatementSpan,
  inTrace,
  isTracing,
  recordSpan,
  startSpan,
} from './spans';
export type { TraceHeaders } from './trace-context';
export { traceUseCases } from './trace-use-cases';
export { TracingModule } from './tracing.module';
