import { Config } from '@counterfoil/config';
import { assertNoTransaction, Clock, pauseAfter, sharedByCallers } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { Injectable } from '@nestjs/common';
import type { Outcome } from '../domain/charge';
import type { Operation } from '../domain/operation';
import { CardTokens } from './card-tokens';
import type { NewOperation } from './ports/charge.repository';
import {
  type ClaimedRequest,
  type OpenRequest,
  ProviderRequestRepository,
} from './ports/provider-request.repository';
import {
  type ProviderRequest,
  type PaymentProvider,
  PaymentProviders,
  ProviderUnanswered,
} from './ports/payment-provider';
import { RecordOutcome } from './record-outcome';

/** The time limit for the answer of a provider. */
export const ANSWER_MAX_MS = 20_000;
/** Time limit for the caller to send its request. Later, the worker may already be asking for the outcome. */
const PLACING_MAX_MS = 8_000;
/** Maximum delay before the first retry. It is short, so that most charges settle soon after an outage. */
const FIRST_PAUSE_MAX_MS = 1_000;
/**
 * Grace period in which the call that created the operation owns its request. It must exceed the provider's
 * time limit plus the recording of the answer.
 */
const GRACE_PERIOD_MS = 30_000;

/**
 * Sends requests to providers, with no transaction open. Each request is stored before it is sent. If its
 * outcome is unknown, because the answer was lost or the process died, the provider is asked for the outcome.
 * A second request is never created.
 */
@Injectable()
export class ProviderRequests {
  private readonly stopping = new AbortController();

  constructor(
    private readonly repository: ProviderRequestRepository,
    private readonly providers: PaymentProviders,
    private readonly recordOutcome: RecordOutcome,
    private readonly tokens: CardTokens,
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /**
   * Sends the request of a new operation and records the answer. Without an answer, the worker asks for the
   * outcome later. It never throws, because the operation is already stored.
   *
   * @returns false if something other than the provider failed. The database may be unavailable, so the
   * caller should not wait for more
   */
  async send({ id: operationId, createdAt }: Operation): Promise<boolean> {
    try {
      const open = await this.repository.find(operationId);
      const isLate = this.clock.now().getTime() - createdAt.getTime() > PLACING_MAX_MS;
      if (isLate)
        this.log.warn({ operationId }, 'a request is too old to be sent by its caller; the worker sends it');
      else if (open) return await this.attempt(open, null, () => this.carryOut(open));
      return true;
    } catch (error) {
      this.log.error(
        { error, operationId },
        'a request to a payment provider could not be sent; the worker sends it',
      );
      return false;
    }
  }

  /**
   * Asks for the outcome of a request, and sends the request if it never arrived. Records the answer, or
   * schedules the next attempt.
   */
  async resolve(claimed: ClaimedRequest, isCurrent: () => boolean): Promise<void> {
    await this.attempt(claimed, claimed.leaseToken, () => this.askForOutcome(claimed, isCurrent));
  }

  /** Aborts the requests that wait for an answer. Another process asks for their outcome. */
  stop(): void {
    this.stopping.abort();
  }

  /** NestJS calls it before it waits for open HTTP requests. */
  beforeApplicationShutdown(): void {
    this.stop();
  }

  /** @returns false if something other than the provider failed */
  private async attempt(
    open: OpenRequest,
    leaseToken: string | null,
    ask: () => Promise<Outcome | 'pending'>,
  ): Promise<boolean> {
    try {
      const outcome = await ask();
      if (outcome === 'pending') await this.postpone(open, leaseToken, null);
      else await this.recordOutcome.execute(open, outcome);
      return true;
    } catch (error) {
      const isUnanswered = error instanceof ProviderUnanswered;
      if (leaseToken === null && !isUnanswered) this.postponeInBackground(open, error);
      else await this.postpone(open, leaseToken, error);
      return isUnanswered;
    }
  }

  /** Does not wait, because the caller has already waited for a statement that failed. */
  private postponeInBackground(open: OpenRequest, error: unknown): void {
    const { operationId } = open;
    sharedByCallers(() => this.postpone(open, null, error)).catch((fault: unknown) => {
      this.log.error(
        { error: fault, operationId },
        'the next attempt of a request could not be scheduled; the worker retries it',
      );
    });
  }

  private async askForOutcome(open: OpenRequest, isCurrent: () => boolean): Promise<Outcome | 'pending'> {
    const provider = this.providerOf(open);
    const outcome = await this.answerOf((signal) => provider.outcomeOf(requestOf(open, null), signal));
    if (outcome !== 'unknown') return outcome;
    // A process that was suspended comes late: another worker may have settled the operation meanwhile.
    if (!isCurrent())
      throw new ProviderUnanswered('the lease has expired, so another worker sends the request');
    // The stored request never arrived. If it arrives later after all, it has the same key.
    return this.carryOut(open);
  }

  private carryOut(open: OpenRequest): Promise<Outcome> {
    const provider = this.providerOf(open);
    const token = open.sealedToken === null ? null : this.tokens.open(open.sealedToken);
    return this.answerOf((signal) => provider.carryOut(requestOf(open, token), signal));
  }

  private providerOf({ provider: name }: OpenRequest): PaymentProvider {
    const provider = this.providers.find(name);
    if (!provider) throw new ProviderUnanswered(`the provider ${name} is not configured any more`);
    return provider;
  }

  private async postpone(open: OpenRequest, leaseToken: string | null, error: unknown): Promise<void> {
    const { operationId, companyId, attempts } = open;
    const nextAttemptAt = new Date(this.clock.now().getTime() + this.pauseAfter(attempts));
    const details = { error, operationId, companyId, attempt: attempts + 1, nextAttemptAt };
    if (error instanceof ProviderUnanswered) {
      this.log.warn(details, 'a payment provider did not answer; the outcome is requested later');
    } else if (error !== null) {
      this.log.error(details, 'a request could not be resolved; it is retried');
    }
    await this.repository.postpone(operationId, leaseToken, nextAttemptAt);
  }

  private pauseAfter(attempts: number): number {
    const { schedulerIntervalMs } = this.config;
    if (attempts === 0) return Math.min(FIRST_PAUSE_MAX_MS, schedulerIntervalMs);
    return pauseAfter(attempts - 1, schedulerIntervalMs);
  }

  /** @throws ProviderUnanswered if the provider takes too long or the process stops */
  private async answerOf<Answer>(ask: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
    assertNoTransaction('asking a payment provider');
    if (this.stopping.signal.aborted) throw new ProviderUnanswered('the process is stopping');
    const unanswered = new AbortController();
    let giveUp = (_why: string): void => undefined;
    const given = new Promise<never>((_, reject) => {
      giveUp = (why) => {
        unanswered.abort();
        reject(new ProviderUnanswered(why));
      };
    });
    const stop = () => giveUp('the process is stopping');
    const limit = setTimeout(() => giveUp(`no answer within ${ANSWER_MAX_MS} ms`), ANSWER_MAX_MS);
    const { signal } = this.stopping;
    // `AbortSignal.any` would leak memory: a long-lived signal keeps a reference to each signal derived from
    // it.
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await Promise.race([ask(unanswered.signal), given]);
    } finally {
      clearTimeout(limit);
      signal.removeEventListener('abort', stop);
    }
  }
}

/**
 * @param providerToken null for a request without a card, or if the card was removed after the charge was
 * created
 */
function requestOf(
  { kind, key, chargeKey, amount, currency }: OpenRequest,
  providerToken: string | null,
): ProviderRequest {
  return { kind, key, chargeKey, amount, currency, providerToken };
}

/**
 * Returns the times of a new operation. Its caller sends the request now, and the worker resolves it after
 * the grace period.
 */
export function startTimes(now: Date): Pick<NewOperation, 'createdAt' | 'nextAttemptAt'> {
  return { createdAt: now, nextAttemptAt: new Date(now.getTime() + GRACE_PERIOD_MS) };
}
