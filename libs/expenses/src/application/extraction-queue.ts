import { Config } from '@counterfoil/config';
import { AppError, ConcurrencyLimit, sharedByCallers, UnavailableError } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { JobQueue } from '@counterfoil/queue';
import type { Reading } from '@counterfoil/receipt-reader';
import { inSpan } from '@counterfoil/tracing';
import { Injectable } from '@nestjs/common';
import { OutcomePoller } from './outcome-poller';
import { type ReadingRequest, ReadingRequests } from './ports/reading-requests';
import type { ReadingOutcome } from './ports/reading-outcome';

const RETRY_AFTER_SECONDS = 5;

/** Queues a document for a worker, and waits for the outcome. */
@Injectable()
export class ExtractionQueue {
  private readonly slots = new ConcurrencyLimit({
    total: 1_000,
    perCompany: 200,
    dynamicThreshold: true,
    what: 'extractions',
  });

  constructor(
    private readonly requests: ReadingRequests,
    private readonly outcomes: OutcomePoller,
    private readonly queue: JobQueue,
    private readonly config: Config,
    private readonly log: Log,
  ) {}

  /**
   * @param gone aborted when the caller disconnects; a document without other callers is then not read
   * @throws AppError `EXTRACTION_TIMEOUT` without an outcome in time (it is kept for a repeated call),
   * `UNAVAILABLE` if too
   *   many documents of the company are waiting, and the errors of the document itself
   */
  async read(request: ReadingRequest, gone: AbortSignal): Promise<Reading> {
    const span = { name: 'wait for reading', kind: 'producer' } as const;
    const outcome = await inSpan(span, () =>
      this.slots.hold(request.companyId, () => this.outcomeOf(request, gone)),
    );
    if (outcome) return readingOf(outcome);
    const message = 'the document was not read in time; the result is kept for a short time, so try again';
    throw new AppError('EXTRACTION_TIMEOUT', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }

  private async outcomeOf(request: ReadingRequest, gone: AbortSignal): Promise<ReadingOutcome | null> {
    const { timeoutMs } = this.config.extraction;
    const id = await this.requests.ask(request, timeoutMs);
    if (id === null) {
      const message = 'too many documents of this company are waiting to be read';
      throw new UnavailableError('busy', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    const waiting = this.outcomes.poll({ ...request, id }, timeoutMs, gone);
    if (!gone.aborted) await this.signal(id);
    const outcome = await waiting;
    if (outcome === null) await this.leave(id, gone.aborted);
    return outcome;
  }

  /** Runs outside the request's scope, because its database work is dropped when its caller has disconnected. */
  private async leave(requestId: number, isGone: boolean): Promise<void> {
    await sharedByCallers(() =>
      isGone ? this.requests.withdraw(requestId) : this.requests.keepWanted(requestId),
    ).catch((error: unknown) => {
      if (isGone)
        this.log.warn({ error, requestId }, 'a reading without waiting callers could not be withdrawn');
      else this.log.warn({ error, requestId }, 'a reading could not be kept for a repeated call');
    });
  }

  private signal(requestId: number): Promise<void> {
    return this.queue.signal('receipt.read', [{ id: `reading-${requestId}`, payload: { requestId } }]);
  }
}

/** @throws AppError the failure of the outcome */
export function readingOf(outcome: ReadingOutcome): Reading {
  if ('reading' in outcome) return outcome.reading;
  const { code, message } = outcome.failure;
  if (code !== 'UNAVAILABLE') throw new AppError(code, message);
  throw new UnavailableError('reader', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
