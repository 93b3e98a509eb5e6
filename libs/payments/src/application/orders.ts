import { Config } from '@counterfoil/config';
import { assertNoTransaction, Clock, pauseAfter, sharedByCallers } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { Injectable } from '@nestjs/common';
import type { Outcome } from '../domain/charge';
import type { Operation } from '../domain/operation';
import { CardTokens } from './card-tokens';
import type { NewOperation } from './ports/charge.repository';
import { type ClaimedOrder, type OpenOrder, OrderBook } from './ports/order-book';
import {
  type Order,
  type PaymentProvider,
  PaymentProviders,
  ProviderUnanswered,
} from './ports/payment-provider';
import { RecordOutcome } from './record-outcome';

/** What a provider is waited for. */
const ANSWER_MAX_MS = 20_000;
/** An order that is sent later than this might still be under way when the worker asks for it. */
const PLACING_MAX_MS = 8_000;
/** What was begun is the beginner's so long: longer than the provider may take and its answer to be recorded. */
const BEGINNING_MAX_MS = 30_000;

/**
 * Asks providers for what was begun, with no transaction open. What was begun is written down before; if nobody knows
 * what came of it, since the answer was lost or the process died, the provider is asked that, and never for another.
 */
@Injectable()
export class Orders {
  private readonly stopping = new AbortController();

  constructor(
    private readonly book: OrderBook,
    private readonly providers: PaymentProviders,
    private readonly recordOutcome: RecordOutcome,
    private readonly tokens: CardTokens,
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /**
   * Sends an order that has just been begun, and records the answer; where there is none, the worker asks for it. Throws
   * nothing: what was begun has been begun.
   *
   * @returns false where something else failed than the provider. The database may be away: nothing more should be waited
   *   for
   */
  async place({ id: operationId, createdAt }: Operation): Promise<boolean> {
    try {
      const open = await this.book.find(operationId);
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

  /** Asks what came of an order, and sends it where it has never arrived; records the answer, or asks again later. */
  async settle(claimed: ClaimedOrder): Promise<void> {
    await this.work(claimed, claimed.leaseToken, () => this.askAfter(claimed));
  }

  /** Waits for no provider any longer: what is not answered is asked for by the next process. */
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

  /** Its caller, who waits for an answer, has waited for one statement of a database that is away: that is enough. */
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
    // It was begun and has not arrived. Should it arrive after all, it has the same key.
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
    const pauseMs = pauseAfter(attempts, this.config.schedulerIntervalMs);
    const nextAttemptAt = new Date(this.clock.now().getTime() + pauseMs);
    const asked = { error, operationId, companyId, attempt: attempts + 1, nextAttemptAt };
    if (error instanceof ProviderUnanswered) {
      this.log.warn(asked, 'a payment provider gave no answer; it is asked again what came of it');
    } else if (error !== null) {
      this.log.error(asked, 'an order could not be settled; it is tried again');
    }
    await this.book.postpone(operationId, leaseToken, nextAttemptAt);
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

/** The times of an operation that is begun now: whoever begins it places it, and the worker looks after it later. */
export function begunAt(now: Date): Pick<NewOperation, 'createdAt' | 'nextAttemptAt'> {
  return { createdAt: now, nextAttemptAt: new Date(now.getTime() + BEGINNING_MAX_MS) };
}
