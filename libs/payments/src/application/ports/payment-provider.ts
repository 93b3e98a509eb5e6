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

/** What is asked of a provider. */
export interface Order {
  readonly kind: OperationKind;
  /** A UUID, the same whenever this is asked: all that come with one key are one. */
  readonly key: string;
  /** The key of the order that began the charge. */
  readonly chargeKey: string;
  /** Null of what does not need the card, to be asked what came of it included. */
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

/** Who charges cards (decisions §4). It keeps their numbers; here only its tokens are known. */
export abstract class PaymentProvider {
  /** As callers name it. */
  abstract readonly name: string;
  abstract readonly title: string;
  /** None of a provider that moves real money. */
  abstract readonly testTokens: readonly TestToken[];

  /** What card a token stands for; null when the provider does not know the token. */
  abstract describe(providerToken: string): Promise<Card | null>;

  /**
   * Does what is asked, once however often it is asked with one key. Is called outside of every transaction.
   *
   * @param signal is aborted when nobody waits for the answer any more
   * @throws ProviderUnanswered when nobody knows what came of it: it may have been done
   */
  abstract carryOut(order: Order, signal?: AbortSignal): Promise<Outcome>;

  /**
   * What came of an order that got no answer: `pending` when the provider does not know yet, `unknown` when the order has
   * never reached it.
   *
   * @throws ProviderUnanswered
   */
  abstract outcomeOf(order: Order, signal?: AbortSignal): Promise<Outcome | 'pending' | 'unknown'>;

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
