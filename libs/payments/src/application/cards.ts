import { AppError, validationFailed } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import type { PaymentMethod } from '../domain/payment-method';
import { CardTokens } from './card-tokens';
import type { NewPaymentMethod } from './ports/payment-method.repository';
import { PaymentProviders } from './ports/payment-provider';

export interface AskedCard {
  readonly provider: string;
  readonly providerToken: string;
  readonly entityId: number | null;
}

/** Looks cards up at their providers. */
@Injectable()
export class Cards {
  constructor(
    private readonly providers: PaymentProviders,
    private readonly tokens: CardTokens,
  ) {}

  /** @throws AppError `VALIDATION_FAILED` for a provider that there is not, and a token that it does not know */
  async find({
    provider: name,
    providerToken,
    entityId,
  }: AskedCard): Promise<Omit<NewPaymentMethod, 'saved' | 'createdAt'>> {
    const provider = this.providers.find(name);
    if (!provider) {
      throw validationFailed([{ field: 'provider', problem: 'must be one of GET /gateway/providers' }]);
    }
    const card = await provider.describe(providerToken);
    if (!card) throw validationFailed([{ field: 'providerToken', problem: `is no token of ${name}` }]);
    return { provider: name, ...card, entityId, sealedToken: this.tokens.seal(providerToken) };
  }

  /**
   * Whoever begins a charge asks this first: one that nobody could be asked for would be made whenever somebody can.
   *
   * @throws AppError `INVALID_STATE` where the card's provider is not there any more
   */
  assertServed({ provider: name }: PaymentMethod): void {
    if (this.providers.find(name)) return;
    throw new AppError('INVALID_STATE', `this installation does not have the card's provider, ${name}`);
  }
}
