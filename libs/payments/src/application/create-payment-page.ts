import { randomBytes } from 'node:crypto';
import { AppError, type Caller, Clock, Transactions, unknownReference } from '@counterfoil/kernel';
import { EntityDirectory } from '@counterfoil/parties';
import { Injectable } from '@nestjs/common';
import { PaymentPageRepository } from './ports/payment-page.repository';
import { PaymentProviders } from './ports/payment-provider';

const KEY_BYTES = 32;

export interface AskedPaymentPage {
  readonly amount: number;
  readonly currency: string;
  readonly description: string;
  readonly entityId: number | null;
}

/** Makes a page on which a payer can pay an amount, once. */
@Injectable()
export class CreatePaymentPage {
  constructor(
    private readonly transactions: Transactions,
    private readonly pages: PaymentPageRepository,
    private readonly providers: PaymentProviders,
    private readonly entities: EntityDirectory,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError `UNKNOWN_REFERENCE` for an unknown entity, `INVALID_STATE` where there is no provider */
  async execute(
    { companyId }: Caller,
    asked: AskedPaymentPage,
  ): Promise<{ readonly id: number; readonly url: string }> {
    const [provider] = this.providers.all();
    if (!provider) throw new AppError('INVALID_STATE', 'this installation has no payment provider');
    if (asked.entityId !== null && !(await this.entities.find(companyId, asked.entityId)))
      throw unknownReference('entityId', 'client or vendor');
    const pageKey = randomBytes(KEY_BYTES).toString('base64url');
    const page = { ...asked, pageKey, provider: provider.name, createdAt: this.clock.now() };
    const id = await this.transactions.run((tx) => this.pages.insert(tx, companyId, page));
    return { id, url: provider.pageUrl(pageKey) };
  }
}
