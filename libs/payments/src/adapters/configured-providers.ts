import type { Config } from '@counterfoil/config';
import type { Sql } from '@counterfoil/database';
import { type PaymentProvider, PaymentProviders } from '../application/ports/payment-provider';
import { SandboxProvider } from './sandbox/sandbox-provider';

class FixedProviders extends PaymentProviders {
  constructor(private readonly providers: readonly PaymentProvider[]) {
    super();
  }

  override all(): readonly PaymentProvider[] {
    return this.providers;
  }

  override find(name: string): PaymentProvider | null {
    return this.providers.find((provider) => provider.name === name) ?? null;
  }
}

export function configuredProviders({ paymentGateway, publicUrl }: Config, sql: Sql): PaymentProviders {
  return new FixedProviders(paymentGateway === 'sandbox' ? [new SandboxProvider(sql, publicUrl)] : []);
}
