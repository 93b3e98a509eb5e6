import type { Outcome } from '../../domain/charge';
import type { OperationKind } from '../../domain/operation';

/** A card as its provider describes it. */
export interface Card {
  /** For example VISA. */
  readonly brand: string;
  readonly last4: string;
  /** 1 to 12. The card is valid until the end of this month. */
  readonly expiryMonth: number;
  readonly expiryYear: number;
}

/** A request to a provider. */
export interface ProviderRequest {
  readonly kind: OperationKind;
  /** A UUID that identifies the request. Repeated requests with the same key have one effect. */
  readonly key: string;
  /** The key of the request that created the charge. */
  readonly chargeKey: string;
  /** Null for requests without a card, such as a request for an outcome. */
  readonly providerToken: string | null;
  /** With 2 decimals. */
  readonly amount: number;
  readonly currency: string;
}

/** A token for trying the provider without a card. */
export interface TestToken {
  readonly providerToken: string;
  readonly description: string;
}

/**
 * A service that charges cards (contract §14.1). It stores the card numbers; this service knows only its
 * tokens.
 */
export abstract class PaymentProvider {
  /** The name of the provider in the API. */
  abstract readonly name: string;
  abstract readonly title: string;
  /** Empty for a provider that moves real money. */
  abstract readonly testTokens: readonly TestToken[];

  /** Returns the card of a token, or null if the provider does not know the token. */
  abstract describe(providerToken: string): Promise<Card | null>;

  /**
   * Performs the request. Repeated calls with the same key have one effect. Call it without an open
   * transaction.
   *
   * @param signal is aborted when nobody waits for the answer any more
   * @throws ProviderUnanswered if the outcome is unknown; the request may have been performed
   */
  abstract carryOut(request: ProviderRequest, signal?: AbortSignal): Promise<Outcome>;

  /**
   * Returns the outcome of a request whose answer was lost: `pending` if the provider has not decided yet,
   * `unknown` if the request never reached it.
   *
   * @throws ProviderUnanswered
   */
  abstract outcomeOf(
    request: ProviderRequest,
    signal?: AbortSignal,
  ): Promise<Outcome | 'pending' | 'unknown'>;

  /** Returns the address at which a payer can pay a page. */
  abstract pageUrl(pageKey: string): string;
}

/** The provider did not answer or could not be reached. The message is for the operator's log. */
export class ProviderUnanswered extends Error {
  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.name = 'ProviderUnanswered';
  }
}

/** The providers that are configured. */
export abstract class PaymentProviders {
  abstract all(): readonly PaymentProvider[];

  /** Returns null if no provider has this name. */
  abstract find(name: string): PaymentProvider | null;
}
