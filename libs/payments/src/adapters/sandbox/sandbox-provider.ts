import type { Sql } from '@counterfoil/database';
import {
  type Card,
  type ProviderRequest,
  PaymentProvider,
  ProviderUnanswered,
  type TestToken,
} from '../../application/ports/payment-provider';
import type { Outcome } from '../../domain/charge';
import { BOOK_REQUEST, type BookedRequest, FIND_REQUEST } from './sandbox.sql';
import { SANDBOX_CARDS, type SandboxCard } from './sandbox-cards';

/**
 * A provider that moves no money. The test token determines its answer. It has its own books, like a real
 * provider, so a request that is sent twice with the same key has one effect.
 */
export class SandboxProvider extends PaymentProvider {
  readonly name = 'sandbox';
  readonly title = 'Sandbox';
  readonly testTokens: readonly TestToken[] = SANDBOX_CARDS.map(({ providerToken, description }) => ({
    providerToken,
    description,
  }));

  constructor(
    private readonly sql: Sql,
    private readonly publicUrl: string,
  ) {
    super();
  }

  override describe(providerToken: string): Promise<Card | null> {
    const found = cardOf(providerToken);
    if (!found) return Promise.resolve(null);
    const { brand, last4, expiryMonth, expiryYear } = found;
    return Promise.resolve({ brand, last4, expiryMonth, expiryYear });
  }

  override async carryOut(request: ProviderRequest): Promise<Outcome> {
    const booked = await this.book(request);
    if (!cardOf(booked.providerToken)?.answers) throw new ProviderUnanswered('the sandbox did not answer');
    return outcomeOf(booked);
  }

  override async outcomeOf({ key }: ProviderRequest): Promise<Outcome | 'unknown'> {
    const booked = await this.sql.first(FIND_REQUEST, { key });
    return booked ? outcomeOf(booked) : 'unknown';
  }

  override pageUrl(pageKey: string): string {
    return `${this.publicUrl}/gateway/sandbox/pages/${pageKey}`;
  }

  private async book(request: ProviderRequest): Promise<BookedRequest> {
    const providerToken = request.providerToken ?? (await this.tokenOf(request));
    const card = cardOf(providerToken);
    const failureCode = card ? failureOf(request, card) : 'UNKNOWN_CARD';
    const captured = request.kind === 'SALE' ? (card?.captures ?? false) : request.kind === 'CAPTURE';
    const answer = { providerToken, approved: failureCode === null, captured, failureCode };
    return this.sql.only(BOOK_REQUEST, { request, answer });
  }

  /** Returns the card of the request that created the charge. */
  private async tokenOf({ chargeKey }: ProviderRequest): Promise<string> {
    return (await this.sql.first(FIND_REQUEST, { key: chargeKey }))?.providerToken ?? '';
  }
}

function cardOf(token: string): SandboxCard | undefined {
  return SANDBOX_CARDS.find(({ providerToken }) => providerToken === token);
}

function failureOf({ kind }: ProviderRequest, card: SandboxCard): string | null {
  switch (kind) {
    case 'SALE':
    case 'AUTHORIZATION':
      return card.chargeFailure;
    case 'CAPTURE':
      return card.captureFailure;
    case 'REFUND':
      return card.refundFailure;
    case 'VOID':
      return null;
  }
}

function outcomeOf({ approved, captured, failureCode }: BookedRequest): Outcome {
  return approved
    ? { kind: 'approved', captured }
    : { kind: 'declined', failureCode: failureCode ?? 'DECLINED' };
}
