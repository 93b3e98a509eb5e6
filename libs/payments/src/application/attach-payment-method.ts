import { Idempotency, type IdempotentCall } from '@counterfoil/idempotency';
import { type Caller, Clock, unknownReference } from '@counterfoil/kernel';
import { Outbox } from '@counterfoil/outbox';
import { PartyDirectory } from '@counterfoil/parties';
import { Injectable } from '@nestjs/common';
import { attached } from './events';
import { type CardInput, CardLookup } from './card-lookup';
import { PaymentMethodRepository } from './ports/payment-method.repository';

/** Saves a card by its provider's token. */
@Injectable()
export class AttachPaymentMethod {
  constructor(
    private readonly idempotency: Idempotency,
    private readonly methods: PaymentMethodRepository,
    private readonly providers: CardLookup,
    private readonly parties: PartyDirectory,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /**
   * @param call null if the call has no idempotency key
   * @returns the id of the payment method
   * @throws IdempotencyKeyTaken
   * @throws AppError `VALIDATION_FAILED` for an unknown provider or token, `UNKNOWN_REFERENCE` for an unknown
   * entity,
   *   `IDEMPOTENCY_KEY_REUSED`
   */
  async execute(
    { companyId }: Caller,
    input: CardInput,
    call: IdempotentCall<number> | null = null,
  ): Promise<number> {
    await this.idempotency.assertNew(companyId, call);
    if (input.entityId !== null && !(await this.parties.find(companyId, input.entityId)))
      throw unknownReference('entityId', 'client or vendor');
    const card = await this.providers.find(input);
    return this.idempotency.run(companyId, call, async (tx) => {
      const createdAt = this.clock.now();
      const method = await this.methods.insert(tx, companyId, { ...card, saved: true, createdAt });
      await this.outbox.append(tx, companyId, [attached(method)]);
      return method.id;
    });
  }
}
