import { Config } from '@counterfoil/config';
import { AppError, Clock, Places } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { JobQueue } from '@counterfoil/queue';
import type { Reading } from '@counterfoil/receipt-reader';
import { Injectable } from '@nestjs/common';
import { AwaitedOutcomes } from './awaited-outcomes';
import { type AskedReading, ReadingRequests } from './ports/reading-requests';
import type { ReadingOutcome } from './ports/reading-outcome';

const RETRY_AFTER_SECONDS = 5;

/** Has a worker read a document, and waits for what it finds. */
@Injectable()
export class QueuedReadings {
  private readonly places = new Places({ inAll: 1_000, ofCompany: 200, what: 'extractions' });

  constructor(
    private readonly requests: ReadingRequests,
    private readonly outcomes: AwaitedOutcomes,
    private readonly queue: JobQueue,
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /**
   * @throws AppError `EXTRACTION_TIMEOUT` when there is no outcome in time: it is kept when it comes, for whoever asks
   *   again. `RATE_LIMITED` when the company waits for too many documents already. And whatever was wrong with the
   *   document
   */
  async read(asked: AskedReading): Promise<Reading> {
    const outcome = await this.places.hold(asked.companyId, () => this.outcomeOf(asked));
    if (outcome) return readingOf(outcome);
    const message = 'the document was not read in time; what is found is kept for a while: ask again';
    throw new AppError('EXTRACTION_TIMEOUT', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }

  private async outcomeOf(asked: AskedReading): Promise<ReadingOutcome | null> {
    const { timeoutMs } = this.config.extraction;
    const id = await this.requests.ask(asked, { now: this.clock.now(), timeoutMs });
    if (id === null) {
      const message = 'too many documents of this company are waiting to be read';
      throw new AppError('RATE_LIMITED', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    const outcome = this.outcomes.of(id, timeoutMs);
    await this.signal(id);
    return outcome;
  }

  /** It may be lost: what is asked for is found again in PostgreSQL. */
  private async signal(requestId: number): Promise<void> {
    try {
      await this.queue.add('receipt.read', [{ id: `reading-${requestId}`, payload: { requestId } }]);
    } catch (error) {
      this.log.warn({ error, requestId }, 'a reading could not be signalled; the sweep will find it');
    }
  }
}

/** @throws AppError what the failure says */
export function readingOf(outcome: ReadingOutcome): Reading {
  if ('reading' in outcome) return outcome.reading;
  const { code, message } = outcome.failure;
  throw new AppError(code, message, code === 'UNAVAILABLE' ? { retryAfterSeconds: RETRY_AFTER_SECONDS } : {});
}
