import { inSpan, inTrace, type Span } from '@counterfoil/tracing';
import type { ReadingOutcome } from './ports/reading-outcome';
import type { ClaimedReading } from './ports/reading-requests';

/** Does the work of a claim in the trace of the call that waits for it. */
export function inTraceOf(claim: ClaimedReading, work: () => Promise<void>): Promise<void> {
  const { trace, id, companyId, attempts, of } = claim;
  const attributes = {
    'counterfoil.company_id': companyId,
    'counterfoil.reading_id': id,
    'counterfoil.attempt': attempts,
    'counterfoil.document': 'url' in of ? 'url' : 'file',
  };
  return inTrace(trace, { name: 'read receipt', kind: 'consumer', attributes }, work);
}

export function inFetchSpan<T>(fetch: () => Promise<T>): Promise<T> {
  return inSpan({ name: 'fetch document' }, fetch);
}

/** Reads the fields in a span with the number of pages. */
export function inReadingSpan<T extends string>(
  { length }: Buffer,
  read: () => Promise<ReadingOutcome | T>,
): Promise<ReadingOutcome | T> {
  return inSpan({ name: 'read document', attributes: { 'counterfoil.bytes': length } }, async (span) => {
    const outcome = await read();
    if (typeof outcome !== 'string') describe(span, outcome);
    return outcome;
  });
}

function describe(span: Span, outcome: ReadingOutcome): void {
  if ('failure' in outcome) return span.fail(outcome.failure.code);
  const { pages, source } = outcome.reading;
  span.set({ 'counterfoil.pages': pages, 'counterfoil.reading_source': source });
}
