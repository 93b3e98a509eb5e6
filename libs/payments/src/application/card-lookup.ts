import { AppError, validationFailed } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import type { PaymentMethod } from '../domain/payment-method';
import { CardTokens } from './card-tokens';
import type { NewPaymentMethod } from './ports/payment-method.repository';
import { PaymentProviders } from './ports/payment-provider';

export interface CardInput {
  readonly provider: string;
  readonly providerToken: string;
  readonly entityId: number | null;
}

/** Looks cards up at their providers, and checks that the provider of a card is configured. */
@Injectable()
export class CardLookup {
  constructor(
    private readonly providers: PaymentProviders,
    private readonly tokens: CardTokens,
  ) {}

  /**
   * @throws AppError `VALIDATION_FAILED` for an unknown provider, or a token that the provider does not know
   */
  async find({
    provider: name,
    providerToken,
    entityId,
  }: CardInput): Promise<Omit<NewPaymentMethod, 'saved' | 'createdAt'>> {
    const provider = this.providers.find(name);
    if (!provider) {
      throw validationFailed([
        { field: 'provider', problem: 'must be a provider that GET /gateway/providers lists' },
      ]);
    }
    const card = await provider.describe(providerToken);
    if (!card)
      throw validationFailed([{ field: 'providerToken', problem: `is unknown to the provider ${name}` }]);
    return { provider: name, ...card, entityId, sealedToken: this.tokens.seal(providerToken) };
  }

  /**
   * Call this before creating a charge. Otherwise the charge would stay pending, and would run as soon as the
   * provider is configured again.
   *
   * @throws AppError `INVALID_STATE` if the card's provider is no longer configured
   */
  assertServed({ provider: name }: PaymentMethod): void {
    if (this.providers.find(name)) return;
    throw new AppError('INVALID_STATE', `this installation does not have the card's provider, ${name}`);
  }
}
