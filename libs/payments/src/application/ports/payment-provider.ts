import type { Outcome } from '../../domain/charge';
import type { OperationKind } from '../../domain/operation';

/** A card as its provider describes it. */
export interface Card {
  /** Such as VISA. */
  readonly brand: string;
  readonly last4: string;
  /** 1 to 12: the last month it is valid in. */
  readonly expiryMonth: number;
  readonly expiryYear: number;
}

/** A request to a provider. */
export interface ProviderRequest {
  readonly kind: OperationKind;
  /** A UUID, the same whenever this is asked: all that come with one key are one. */
  readonly key: string;
  /** The key of the request that began the charge. */
  readonly chargeKey: string;
  /** Null for requests without a card, including questions for an outcome. */
  readonly providerToken: string | null;
  /** 2 decimals. */
  readonly amount: number;
  readonly currency: string;
}

/** A token that can be tried without a card. */
export interface TestToken {
  readonly providerToken: string;
  readonly description: string;
}

/** A service that charges cards (contract §14.1). It keeps their numbers; we know only its tokens. */
export abstract class PaymentProvider {
  /** As callers name it. */
  abstract readonly name: string;
  abstract readonly title: string;
  /** None of a provider that moves real money. */
  abstract readonly testTokens: readonly TestToken[];

  /** Returns the card of a token; null when the provider does not know the token. */
  abstract describe(providerToken: string): Promise<Card | null>;

  /**
   * Performs the request, once for each key however often it is called. Called outside of every transaction.
   *
   * @param signal is aborted when nobody waits for the answer any more
   * @throws ProviderUnanswered if the outcome is unknown: the request may have been performed
   */
  abstract carryOut(request: ProviderRequest, signal?: AbortSignal): Promise<Outcome>;

  /**
   * Returns the outcome of a request without an answer: `pending` if the provider does not know it yet, `unknown` if
   * the request never reached it.
   *
   * @throws ProviderUnanswered
   */
  abstract outcomeOf(
    request: ProviderRequest,
    signal?: AbortSignal,
  ): Promise<Outcome | 'pending' | 'unknown'>;

  /** Where a payer can pay a page. */
  abstract pageUrl(pageKey: string): string;
}

/** The provider was asked and did not answer, or could not be asked. The message is for the operator's log. */
export class ProviderUnanswered extends Error {
  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.name = 'ProviderUnanswered';
  }
}

/** The providers that this installation has. */
export abstract class PaymentProviders {
  abstract all(): readonly PaymentProvider[];

  /** Null when there is none of this name. */
  abstract find(name: string): PaymentProvider | null;
}
