import type { Sql } from '@counterfoil/database';
import {
  type Card,
  type Order,
  PaymentProvider,
  ProviderUnanswered,
  type TestToken,
} from '../../application/ports/payment-provider';
import type { Outcome } from '../../domain/charge';
import { SANDBOX_CARDS, type SandboxCard } from './sandbox-cards';

interface SandboxOrder {
  readonly providerToken: string;
  readonly approved: boolean;
  readonly captured: boolean;
  readonly failureCode: string | null;
}

const ORDER = `provider_token as "providerToken", approved, captured, failure_code as "failureCode"`;

/**
 * A provider that moves no money. It answers as its test tokens say, and keeps books of its own, as a real one would:
 * what was sent twice with one key was done once.
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

  override async carryOut(order: Order): Promise<Outcome> {
    const booked = await this.book(order);
    if (!cardOf(booked.providerToken)?.answers) throw new ProviderUnanswered('the sandbox gives no answer');
    return outcomeOf(booked);
  }

  override async outcomeOf({ key }: Order): Promise<Outcome | 'unknown'> {
    const [booked] = await this.sql.rows<SandboxOrder>(
      `select ${ORDER} from sandbox_orders where order_key = $1`,
      [key],
    );
    return booked ? outcomeOf(booked) : 'unknown';
  }

  override pageUrl(pageKey: string): string {
    return `${this.publicUrl}/gateway/sandbox/pages/${pageKey}`;
  }

  /** The order as it was first sent. */
  private async book(order: Order): Promise<SandboxOrder> {
    const providerToken = order.providerToken ?? (await this.tokenOf(order));
    const card = cardOf(providerToken);
    const failureCode = card ? failureOf(order, card) : 'UNKNOWN_CARD';
    const captured = order.kind === 'SALE' ? (card?.captures ?? false) : order.kind === 'CAPTURE';
    const [booked] = await this.sql.rows<SandboxOrder>(
      `insert into sandbox_orders (order_key, charge_key, kind, provider_token, amount, currency, approved, captured,
         failure_code, sent)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 1)
       on conflict (order_key) do update set sent = sandbox_orders.sent + 1 returning ${ORDER}`,
      [
        ...[order.key, order.chargeKey, order.kind, providerToken, order.amount, order.currency],
        ...[failureCode === null, captured, failureCode],
      ],
    );
    if (!booked) throw new Error('the insert returned no row');
    return booked;
  }

  /** The card of the order that began the charge. */
  private async tokenOf({ chargeKey }: Order): Promise<string> {
    const [first] = await this.sql.rows<SandboxOrder>(
      `select ${ORDER} from sandbox_orders where order_key = $1`,
      [chargeKey],
    );
    return first?.providerToken ?? '';
  }
}

function cardOf(token: string): SandboxCard | undefined {
  return SANDBOX_CARDS.find(({ providerToken }) => providerToken === token);
}

function failureOf({ kind }: Order, card: SandboxCard): string | null {
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

function outcomeOf({ approved, captured, failureCode }: SandboxOrder): Outcome {
  return approved
    ? { kind: 'approved', captured }
    : { kind: 'declined', failureCode: failureCode ?? 'DECLINED' };
}
