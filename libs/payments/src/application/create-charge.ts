import { DocumentReader } from '@counterfoil/documents';
import { type Caller, type Transaction, unknownReference } from '@counterfoil/kernel';
import type { IdempotentCall } from '@counterfoil/idempotency';
import { PartyDirectory } from '@counterfoil/parties';
import { Injectable } from '@nestjs/common';
import { type StartedOperation, IdempotentOperations } from './idempotent-operations';
import { CardLookup } from './card-lookup';
import { startTimes } from './provider-requests';
import { ChargeRepository } from './ports/charge.repository';
import { PaymentMethodRepository } from './ports/payment-method.repository';

export interface ChargeInput {
  readonly tokenId: number;
  readonly amount: number;
  readonly currency: string;
  /** Defaults to the entity of the card if null. */
  readonly entityId: number | null;
  readonly documentId: number | null;
  /** If false, the amount is only authorized. */
  readonly capture: boolean;
}

/** Charges a saved card, or authorizes an amount on it. */
@Injectable()
export class CreateCharge {
  constructor(
    private readonly operations: IdempotentOperations,
    private readonly charges: ChargeRepository,
    private readonly methods: PaymentMethodRepository,
    private readonly providers: CardLookup,
    private readonly parties: PartyDirectory,
    private readonly documents: DocumentReader,
  ) {}

  /**
   * A charge that the provider declines is not an error.
   *
   * @param call null if the call has no idempotency key
   * @throws IdempotencyKeyTaken
   * @throws AppError `UNKNOWN_REFERENCE` for a card, entity or document that the company does not have,
   * `INVALID_STATE`
   *   if the provider is not configured, `IDEMPOTENCY_KEY_REUSED`, `REQUEST_IN_PROGRESS`
   */
  execute(
    { companyId }: Caller,
    input: ChargeInput,
    call: IdempotentCall<StartedOperation> | null = null,
  ): Promise<StartedOperation> {
    return this.operations.begin(companyId, call, {
      check: () => this.assertKnown(companyId, input),
      write: (tx, now) => this.write(tx, companyId, input, now),
    });
  }

  private async write(
    tx: Transaction,
    companyId: number,
    input: ChargeInput,
    now: Date,
  ): Promise<StartedOperation> {
    const { tokenId, amount, currency, documentId, capture } = input;
    const method = await this.methods.hold(tx, companyId, tokenId);
    if (!method) throw unknownReference('tokenId', 'saved card');
    this.providers.assertServed(method);
    const entityId = input.entityId ?? method.entityId;
    const newCharge = { tokenId, entityId, documentId, amount, currency };
    const charge = await this.charges.insert(tx, companyId, newCharge, now);
    const operation = await this.charges.insertOperation(tx, companyId, {
      chargeId: charge.id,
      kind: capture ? 'SALE' : 'AUTHORIZATION',
      amount,
      ...startTimes(now),
    });
    return { charge, operation };
  }

  private async assertKnown(companyId: number, { entityId, documentId }: ChargeInput): Promise<void> {
    if (entityId !== null && !(await this.parties.find(companyId, entityId)))
      throw unknownReference('entityId', 'client or vendor');
    if (documentId !== null && !(await this.documents.find(companyId, { id: documentId })))
      throw unknownReference('documentId', 'document');
  }
}
