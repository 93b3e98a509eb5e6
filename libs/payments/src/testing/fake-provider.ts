import { assertNoTransaction } from '@counterfoil/kernel';
import {
  type Card,
  type ProviderRequest,
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
  readonly sent: ProviderRequest[] = [];
  /** The requests whose outcome was asked for. */
  readonly outcomesAsked: ProviderRequest[] = [];
  readonly booked = new Map<string, { readonly request: ProviderRequest; readonly outcome: Outcome }>();
  /** Determines the answer to a recorded request. */
  answer: (outcome: Outcome, request: ProviderRequest) => Outcome | Promise<Outcome> = (outcome) => outcome;
  /** Whether a request reaches the provider. */
  arrives: (request: ProviderRequest) => boolean = () => true;
  /** Determines the answer to a request for an outcome. */
  account: (outcome: Outcome | 'unknown') => Outcome | 'pending' | 'unknown' = (outcome) => outcome;

  override describe(providerToken: string): Promise<Card | null> {
    return Promise.resolve([GOOD_TOKEN, BAD_TOKEN].includes(providerToken) ? CARD : null);
  }

  override async carryOut(request: ProviderRequest, _signal?: AbortSignal): Promise<Outcome> {
    assertNoTransaction('asking a payment provider');
    if (!this.arrives(request)) throw new ProviderUnanswered('the connection was refused');
    this.sent.push(request);
    const booked = this.booked.get(request.key) ?? { request, outcome: outcomeFor(request) };
    this.booked.set(request.key, booked);
    return this.answer(booked.outcome, request);
  }

  override outcomeOf(request: ProviderRequest): Promise<Outcome | 'pending' | 'unknown'> {
    assertNoTransaction('asking a payment provider');
    this.outcomesAsked.push(request);
    return Promise.resolve(this.account(this.booked.get(request.key)?.outcome ?? 'unknown'));
  }

  override pageUrl(pageKey: string): string {
    return `https://pay.example/${pageKey}`;
  }
}

function outcomeFor({ kind, providerToken }: ProviderRequest): Outcome {
  const begins = kind === 'SALE' || kind === 'AUTHORIZATION';
  if (begins && providerToken !== GOOD_TOKEN) return { kind: 'declined', failureCode: 'BAD_CARD' };
  return { kind: 'approved', captured: kind === 'SALE' || kind === 'CAPTURE' };
}

/** Providers of which the configuration can change. */
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
