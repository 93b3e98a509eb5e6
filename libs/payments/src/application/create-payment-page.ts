import { randomBytes } from 'node:crypto';
import { Idempotency, type IdempotentCall } from '@counterfoil/idempotency';
import { AppError, type Caller, Clock, unknownReference } from '@counterfoil/kernel';
import { PartyDirectory } from '@counterfoil/parties';
import { Injectable } from '@nestjs/common';
import { PaymentPageRepository } from './ports/payment-page.repository';
import { PaymentProviders } from './ports/payment-provider';

const KEY_BYTES = 32;
const NO_PROVIDER =
  'this installation has no payment provider: the operator chooses one with the setting PAYMENT_GATEWAY';

export interface PaymentPageInput {
  readonly amount: number;
  readonly currency: string;
  readonly description: string;
  readonly entityId: number | null;
}

export interface CreatedPaymentPage {
  readonly id: number;
  readonly url: string;
}

/** Creates a page on which a payer can pay an amount once. */
@Injectable()
export class CreatePaymentPage {
  constructor(
    private readonly idempotency: Idempotency,
    private readonly pages: PaymentPageRepository,
    private readonly providers: PaymentProviders,
    private readonly parties: PartyDirectory,
    private readonly clock: Clock,
  ) {}

  /**
   * @param call null if the call has no idempotency key
   * @throws IdempotencyKeyTaken
   * @throws AppError `UNKNOWN_REFERENCE` for an unknown entity, `INVALID_STATE` if no provider is configured
   */
  async execute(
    { companyId }: Caller,
    input: PaymentPageInput,
    call: IdempotentCall<CreatedPaymentPage> | null = null,
  ): Promise<CreatedPaymentPage> {
    const [provider] = this.providers.all();
    if (!provider) throw new AppError('INVALID_STATE', NO_PROVIDER);
    if (input.entityId !== null && !(await this.parties.find(companyId, input.entityId)))
      throw unknownReference('entityId', 'client or vendor');
    const pageKey = randomBytes(KEY_BYTES).toString('base64url');
    const page = { ...input, pageKey, provider: provider.name, createdAt: this.clock.now() };
    return this.idempotency.run(companyId, call, async (tx) => ({
      id: await this.pages.insert(tx, companyId, page),
      url: provider.pageUrl(pageKey),
    }));
  }
}
