import { assertNoTransaction } from '@counterfoil/kernel';
import {
  type Card,
  type Order,
  PaymentProvider,
  PaymentProviders,
  ProviderUnanswered,
} from '../application/ports/payment-provider';
import type { Outcome } from '../domain/charge';

export const GOOD_TOKEN = 'fake_pm_7Qk2ZsecretOfGoodCard';
export const BAD_TOKEN = 'fake_pm_9Xw4YsecretOfBadCard';
const CARD: Card = { brand: 'VISA', last4: '1881', expiryMonth: 7, expiryYear: 2031 };

/** A fake provider: it performs a request once for each key, and answers as configured. */
export class FakeProvider extends PaymentProvider {
  readonly name = 'fake';
  readonly title = 'Fake';
  readonly testTokens = [];
  /** Every request that arrived, including repeated ones. */
  readonly sent: Order[] = [];
  /** The requests whose outcome was asked for. */
  readonly askedAfter: Order[] = [];
  readonly booked = new Map<string, { readonly order: Order; readonly outcome: Outcome }>();
  /** Gives the answer to an order that has been booked. */
  answer: (outcome: Outcome, order: Order) => Outcome | Promise<Outcome> = (outcome) => outcome;
  /** Whether an order arrives at all. */
  arrives: (order: Order) => boolean = () => true;
  /** Answers a question for the outcome of a request. */
  account: (outcome: Outcome | 'unknown') => Outcome | 'pending' | 'unknown' = (outcome) => outcome;

  override describe(providerToken: string): Promise<Card | null> {
    return Promise.resolve([GOOD_TOKEN, BAD_TOKEN].includes(providerToken) ? CARD : null);
  }

  override async carryOut(order: Order, _signal?: AbortSignal): Promise<Outcome> {
    assertNoTransaction('asking a payment provider');
    if (!this.arrives(order)) throw new ProviderUnanswered('the connection was refused');
    this.sent.push(order);
    const booked = this.booked.get(order.key) ?? { order, outcome: outcomeFor(order) };
    this.booked.set(order.key, booked);
    return this.answer(booked.outcome, order);
  }

  override outcomeOf(order: Order): Promise<Outcome | 'pending' | 'unknown'> {
    assertNoTransaction('asking a payment provider');
    this.askedAfter.push(order);
    return Promise.resolve(this.account(this.booked.get(order.key)?.outcome ?? 'unknown'));
  }

  override pageUrl(pageKey: string): string {
    return `https://pay.example/${pageKey}`;
  }
}

function outcomeFor({ kind, providerToken }: Order): Outcome {
  const begins = kind === 'SALE' || kind === 'AUTHORIZATION';
  if (begins && providerToken !== GOOD_TOKEN) return { kind: 'declined', failureCode: 'BAD_CARD' };
  return { kind: 'approved', captured: kind === 'SALE' || kind === 'CAPTURE' };
}

/** The providers of an installation whose configuration changes. */
export class FakeProviders extends PaymentProviders {
  constructor(public providers: readonly PaymentProvider[]) {
    super();
  }

  override all(): readonly PaymentProvider[] {
    return this.providers;
  }

  override find(name: string): PaymentProvider | null {
    return this.providers.find((provider) => provider.name === name) ?? null;
  }
}
