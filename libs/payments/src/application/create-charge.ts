import { DocumentReader } from '@counterfoil/documents';
import { type Caller, type Transaction, unknownReference } from '@counterfoil/kernel';
import type { IdempotentCall } from '@counterfoil/idempotency';
import { PartyDirectory } from '@counterfoil/parties';
import { Injectable } from '@nestjs/common';
import { type Begun, IdempotentOperations } from './idempotent-operations';
import { PaymentProviderRegistry } from './payment-provider-registry';
import { begunAt } from './provider-requests';
import { ChargeRepository } from './ports/charge.repository';
import { PaymentMethodRepository } from './ports/payment-method.repository';

export interface AskedCharge {
  readonly tokenId: number;
  readonly amount: number;
  readonly currency: string;
  /** Null: whose card it is. */
  readonly entityId: number | null;
  readonly documentId: number | null;
  /** False only authorizes the amount. */
  readonly capture: boolean;
}

/** Charges a saved card, or authorizes an amount on it. */
@Injectable()
export class CreateCharge {
  constructor(
    private readonly operations: IdempotentOperations,
    private readonly charges: ChargeRepository,
    private readonly methods: PaymentMethodRepository,
    private readonly providers: PaymentProviderRegistry,
    private readonly parties: PartyDirectory,
    private readonly documents: DocumentReader,
  ) {}

  /**
   * @param call null when the call came without an idempotency key
   * @throws IdempotencyKeyTaken
   * @throws AppError `UNKNOWN_REFERENCE` for a card, entity or document that the company does not have, `INVALID_STATE`
   *   where its provider is not there, `IDEMPOTENCY_KEY_REUSED`, `REQUEST_IN_PROGRESS`. What the provider declines is no
   *   error.
   */
  execute(
    { companyId }: Caller,
    asked: AskedCharge,
    call: IdempotentCall<Begun> | null = null,
  ): Promise<Begun> {
    return this.operations.begin(companyId, call, {
      check: () => this.assertKnown(companyId, asked),
      write: (tx, now) => this.write(tx, companyId, asked, now),
    });
  }

  private async write(tx: Transaction, companyId: number, asked: AskedCharge, now: Date): Promise<Begun> {
    const { tokenId, amount, currency, documentId, capture } = asked;
    const method = await this.methods.hold(tx, companyId, tokenId);
    if (!method) throw unknownReference('tokenId', 'saved card');
    this.providers.assertServed(method);
    const entityId = asked.entityId ?? method.entityId;
    const begun = { tokenId, entityId, documentId, amount, currency };
    const charge = await this.charges.insert(tx, companyId, begun, now);
    const operation = await this.charges.insertOperation(tx, companyId, {
      chargeId: charge.id,
      kind: capture ? 'SALE' : 'AUTHORIZATION',
      amount,
      ...begunAt(now),
    });
    return { charge, operation };
  }

  private async assertKnown(companyId: number, { entityId, documentId }: AskedCharge): Promise<void> {
    if (entityId !== null && !(await this.parties.find(companyId, entityId)))
      throw unknownReference('entityId', 'client or vendor');
    if (documentId !== null && !(await this.documents.find(companyId, { id: documentId })))
      throw unknownReference('documentId', 'document');
  }
}
