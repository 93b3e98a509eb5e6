import { Idempotency, type IdempotentCall } from '@counterfoil/idempotency';
import {
  AppError,
  type Caller,
  type Transaction,
  unknownReference,
  validationFailed,
} from '@counterfoil/kernel';
import { Outbox } from '@counterfoil/outbox';
import { Injectable } from '@nestjs/common';
import type { DocumentHeader } from '../domain/document';
import { actorOf, type AllocatedTo } from './events';
import type { NewAllocation } from '../domain/settlement';
import { DocumentTransactions } from './document-transactions';
import { DocumentRepository } from './ports/document.repository';
import { Settlements, stateAfter } from './settlements';

export interface AllocationsInput {
  /** The numeric id of the receipt. */
  readonly receiptId: number;
  readonly allocations: readonly NewAllocation[];
}

export interface AllocatedReceipt {
  readonly receipt: DocumentHeader;
  readonly allocations: readonly AllocatedTo[];
}

/** Allocates the unallocated amount of a receipt to invoices, up to their remaining amounts. */
@Injectable()
export class AllocateReceipt {
  constructor(
    private readonly transactions: DocumentTransactions,
    private readonly idempotency: Idempotency,
    private readonly documents: DocumentRepository,
    private readonly settlements: Settlements,
    private readonly outbox: Outbox,
  ) {}

  /**
   * @param call null if the call has no idempotency key
   * @throws IdempotencyKeyTaken
   * @throws AppError `UNKNOWN_REFERENCE` for a document that the company does not have, `VALIDATION_FAILED`
   * if an amount
   *   exceeds the available or remaining one or the documents do not match, `INVALID_STATE` for a document
   *   that is closed or
   *   cancelled
   */
  execute(
    caller: Caller,
    input: AllocationsInput,
    call: IdempotentCall<AllocatedReceipt> | null = null,
  ): Promise<AllocatedReceipt> {
    const { companyId } = caller;
    const work = this.idempotency.wrap(companyId, call, (tx) => this.allocate(tx, caller, input));
    return this.transactions.run(companyId, work);
  }

  private async allocate(
    tx: Transaction,
    caller: Caller,
    { receiptId, allocations }: AllocationsInput,
  ): Promise<AllocatedReceipt> {
    const { companyId } = caller;
    const change = await this.documents.openChange(tx, companyId);
    const [before] = await this.documents.load(tx, companyId, [receiptId]);
    assertMayAllocate(before);
    const links = { allocations, linkedDocumentIds: [], refundOf: null };
    const planned = this.settlements.plan(before, links, await this.settlements.find(tx, companyId, links));
    const { changeNumber, at } = change;
    const receipt = { ...before, ...stateAfter(before, planned), changeNumber, updatedAt: at };
    await this.documents.save(tx, companyId, [receipt]);
    const carriedOut = { companyId, settling: receipt, change, changedBy: actorOf(caller) };
    const { events, settled } = await this.settlements.carryOut(tx, carriedOut, planned);
    await this.outbox.append(tx, companyId, events);
    return { receipt, allocations: settled };
  }
}

/** A fully allocated receipt is allowed here. It has nothing left, so its allocation is refused for that. */
function assertMayAllocate(document: DocumentHeader | undefined): asserts document is DocumentHeader {
  if (!document) throw unknownReference('receiptId', 'document');
  if (document.type !== 'RECEIPT') {
    throw validationFailed([{ field: 'receiptId', problem: `is a ${document.type}, not a RECEIPT` }]);
  }
  if (document.status === 'CLOSED' || document.status === 'CANCELLED') {
    throw new AppError(
      'INVALID_STATE',
      `the receipt is ${document.status}: only an open receipt can be allocated`,
    );
  }
}
