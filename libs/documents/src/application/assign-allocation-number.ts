import { AppError, type Transaction } from '@counterfoil/kernel';
import { Outbox } from '@counterfoil/outbox';
import { Injectable } from '@nestjs/common';
import type { DocumentHeader } from '../domain/document';
import { mayHaveAllocationNumber } from '../domain/document-type';
import { allocationNumberAssigned } from './events';
import { DocumentTransactions } from './document-transactions';
import { AllocationNumberRequests, type ClaimedAllocationNumber } from './ports/allocation-number-requests';
import { type Change, DocumentRepository } from './ports/document.repository';

/** Records the answer of the tax authority for a document, entered by a user or received by the worker. */
@Injectable()
export class AssignAllocationNumber {
  constructor(
    private readonly transactions: DocumentTransactions,
    private readonly documents: DocumentRepository,
    private readonly requests: AllocationNumberRequests,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Records the allocation number. Recording the same number again has no effect.
   *
   * @throws AppError `NOT_FOUND`, `INVALID_STATE` if the type cannot have an allocation number or the document has
   * another one
   */
  execute(companyId: number, visibleId: string, allocationNumber: string): Promise<DocumentHeader> {
    return this.transactions.run(companyId, async (tx) => {
      const { before, change } = await this.open(tx, companyId, visibleId);
      if (before.allocationNumber === allocationNumber) return before;
      assertMayBeAssigned(before);
      const after = {
        ...before,
        ...{ allocationNumber, allocationNumberStatus: null },
        ...{ changeNumber: change.changeNumber, updatedAt: change.at },
      };
      await this.documents.save(tx, companyId, [after]);
      await this.requests.remove(tx, companyId, before.id);
      await this.outbox.append(tx, companyId, [allocationNumberAssigned(after)]);
      return after;
    });
  }

  /**
   * Records that the authority refuses a number, unless the document has one or another worker has taken the
   * claim.
   */
  async refuse(claim: ClaimedAllocationNumber, visibleId: string): Promise<void> {
    const { companyId } = claim;
    await this.transactions.run(companyId, async (tx) => {
      const { before, change } = await this.open(tx, companyId, visibleId);
      if (!(await this.requests.giveUp(tx, claim))) return;
      const { changeNumber, at } = change;
      const after = { ...before, allocationNumberStatus: 'REFUSED' as const, changeNumber, updatedAt: at };
      await this.documents.save(tx, companyId, [after]);
    });
  }

  private async open(
    tx: Transaction,
    companyId: number,
    visibleId: string,
  ): Promise<{ before: DocumentHeader; change: Change }> {
    const change = await this.documents.openChange(tx, companyId);
    const before = await this.documents.loadByVisibleId(tx, companyId, visibleId);
    if (!before) throw new AppError('NOT_FOUND', 'no such document');
    return { before, change };
  }
}

function assertMayBeAssigned({ type, allocationNumber }: DocumentHeader): void {
  if (!mayHaveAllocationNumber(type)) {
    throw new AppError('INVALID_STATE', `a ${type} cannot have an allocation number`);
  }
  if (allocationNumber !== null) {
    throw new AppError(
      'INVALID_STATE',
      `the document has the allocation number ${allocationNumber}, which cannot be replaced`,
    );
  }
}
