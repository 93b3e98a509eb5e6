import { Config } from '@counterfoil/config';
import { assertNoTransaction, Clock, pauseAfter, sharedByCallers } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { Injectable } from '@nestjs/common';
import type { Outcome } from '../domain/charge';
import type { Operation } from '../domain/operation';
import { CardTokens } from './card-tokens';
import type { NewOperation } from './ports/charge.repository';
import {
  type ClaimedOrder,
  type OpenOrder,
  ProviderRequestRepository,
} from './ports/provider-request.repository';
import {
  type Order,
  type PaymentProvider,
  PaymentProviders,
  ProviderUnanswered,
} from './ports/payment-provider';
import { RecordOutcome } from './record-outcome';

/** The time limit for the answer of a provider. */
const ANSWER_MAX_MS = 20_000;
/** An order that is sent later than this might still be under way when the worker asks for it. */
const PLACING_MAX_MS = 8_000;
/** A sweep finds it after this: after an outage, a charge is settled within one interval and little more. */
const FIRST_PAUSE_MAX_MS = 1_000;
/**
 * The grace period in which the request that created the operation owns it. It must exceed the provider's time limit
 * plus the recording of the answer.
 */
const BEGINNING_MAX_MS = 30_000;

/**
 * Sends requests to providers, with no transaction open. The request is stored before it is sent. If its outcome is
 * unknown, because the answer was lost or the process died, the provider is asked for that outcome, never for another
 * request.
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
   * Sends the request of a new operation and records the answer. If there is none, the worker asks for it. Never
   * throws, because the operation exists.
   *
   * @returns false if something other than the provider failed. The database may be unavailable, so the caller should
   *   not wait for more
   */
  async place({ id: operationId, createdAt }: Operation): Promise<boolean> {
    try {
      const open = await this.repository.find(operationId);
      const isLate = this.clock.now().getTime() - createdAt.getTime() > PLACING_MAX_MS;
      if (isLate)
        this.log.warn(
          { operationId },
          'an order was begun too long ago to be placed; the worker looks after it',
        );
      else if (open) return await this.work(open, null, () => this.send(open));
      return true;
    } catch (error) {
      this.log.error({ error, operationId }, 'an order could not be placed; the worker looks after it');
      return false;
    }
  }

  /** Asks for the outcome of a request, and sends it if it never arrived. Records the answer, or asks again later. */
  async settle(claimed: ClaimedOrder): Promise<void> {
    await this.work(claimed, claimed.leaseToken, () => this.askAfter(claimed));
  }

  /** Waits for no more answers. The next process asks for them. */
  stop(): void {
    this.stopping.abort();
  }

  /** NestJS calls it before it waits for the requests under way. */
  beforeApplicationShutdown(): void {
    this.stop();
  }

  /** @returns false where something else failed than the provider */
  private async work(
    open: OpenOrder,
    leaseToken: string | null,
    ask: () => Promise<Outcome | 'pending'>,
  ): Promise<boolean> {
    try {
      const outcome = await ask();
      if (outcome === 'pending') await this.putOff(open, leaseToken, null);
      else await this.recordOutcome.execute(open, outcome);
      return true;
    } catch (error) {
      const isUnanswered = error instanceof ProviderUnanswered;
      if (leaseToken === null && !isUnanswered) this.putOffLater(open, error);
      else await this.putOff(open, leaseToken, error);
      return isUnanswered;
    }
  }

  /** Does not wait: the caller has already waited for one statement of an unavailable database. */
  private putOffLater(open: OpenOrder, error: unknown): void {
    const { operationId } = open;
    sharedByCallers(() => this.putOff(open, null, error)).catch((fault: unknown) => {
      this.log.error(
        { error: fault, operationId },
        'an order could not be put off; the worker looks after it',
      );
    });
  }

  private async askAfter(open: OpenOrder): Promise<Outcome | 'pending'> {
    const provider = this.providerOf(open);
    const outcome = await this.answerOf((signal) => provider.outcomeOf(orderOf(open, null), signal));
    // The request was stored and never arrived. If it does arrive after all, it has the same key.
    return outcome === 'unknown' ? this.send(open) : outcome;
  }

  private send(open: OpenOrder): Promise<Outcome> {
    const provider = this.providerOf(open);
    const token = open.sealedToken === null ? null : this.tokens.open(open.sealedToken);
    return this.answerOf((signal) => provider.carryOut(orderOf(open, token), signal));
  }

  private providerOf({ provider: name }: OpenOrder): PaymentProvider {
    const provider = this.providers.find(name);
    if (!provider) throw new ProviderUnanswered(`the provider ${name} is not configured any more`);
    return provider;
  }

  private async putOff(open: OpenOrder, leaseToken: string | null, error: unknown): Promise<void> {
    const { operationId, companyId, attempts } = open;
    const nextAttemptAt = new Date(this.clock.now().getTime() + this.pauseAfter(attempts));
    const asked = { error, operationId, companyId, attempt: attempts + 1, nextAttemptAt };
    if (error instanceof ProviderUnanswered) {
      this.log.warn(asked, 'a payment provider gave no answer; it is asked again what came of it');
    } else if (error !== null) {
      this.log.error(asked, 'an order could not be settled; it is tried again');
    }
    await this.repository.postpone(operationId, leaseToken, nextAttemptAt);
  }

  private pauseAfter(attempts: number): number {
    const { schedulerIntervalMs } = this.config;
    if (attempts === 0) return Math.min(FIRST_PAUSE_MAX_MS, schedulerIntervalMs);
    return pauseAfter(attempts - 1, schedulerIntervalMs);
  }

  /** @throws ProviderUnanswered when the provider takes too long, or the process stops */
  private async answerOf<Answer>(ask: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
    assertNoTransaction('asking a payment provider');
    if (this.stopping.signal.aborted) throw new ProviderUnanswered('the process stops');
    const unanswered = new AbortController();
    let giveUp = (_why: string): void => undefined;
    const given = new Promise<never>((_, reject) => {
      giveUp = (why) => {
        unanswered.abort();
        reject(new ProviderUnanswered(why));
      };
    });
    const stop = () => giveUp('the process stops');
    const limit = setTimeout(() => giveUp(`no answer within ${ANSWER_MAX_MS} ms`), ANSWER_MAX_MS);
    const { signal } = this.stopping;
    // Not by `AbortSignal.any`: a signal keeps something of each that was ever made of it.
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await Promise.race([ask(unanswered.signal), given]);
    } finally {
      clearTimeout(limit);
      signal.removeEventListener('abort', stop);
    }
  }
}

/** @param providerToken null of what does not need the card: it may have been removed since the charge was made */
function orderOf({ kind, key, chargeKey, amount, currency }: OpenOrder, providerToken: string | null): Order {
  return { kind, key, chargeKey, amount, currency, providerToken };
}

/** The times of a new operation: its caller sends the request, and the worker looks after it later. */
export function begunAt(now: Date): Pick<NewOperation, 'createdAt' | 'nextAttemptAt'> {
  return { createdAt: now, nextAttemptAt: new Date(now.getTime() + BEGINNING_MAX_MS) };
}
