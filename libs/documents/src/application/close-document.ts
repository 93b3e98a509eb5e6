import { AppError, type Caller } from '@counterfoil/kernel';
import { Outbox } from '@counterfoil/outbox';
import { Injectable } from '@nestjs/common';
import { type DocumentHeader, isOpen } from '../domain/document';
import { actorOf, statusChanged } from './events';
import { DocumentTransactions } from './document-transactions';
import { DocumentRepository } from './ports/document.repository';

/**
 * Closes a document by hand, so that no further settlement is expected. Its remaining amount stays on record.
 */
@Injectable()
export class CloseDocument {
  constructor(
    private readonly transactions: DocumentTransactions,
    private readonly documents: DocumentRepository,
    private readonly outbox: Outbox,
  ) {}

  /** @throws AppError `NOT_FOUND`, `INVALID_STATE` if the document is not open */
  execute(caller: Caller, visibleId: string): Promise<DocumentHeader> {
    const { companyId } = caller;
    return this.transactions.run(companyId, async (tx) => {
      const { changeNumber, at } = await this.documents.openChange(tx, companyId);
      const before = await this.documents.loadByVisibleId(tx, companyId, visibleId);
      if (!before) throw new AppError('NOT_FOUND', 'no such document');
      if (!isOpen(before.status))
        throw new AppError(
          'INVALID_STATE',
          `the document is ${before.status}: only an open document can be closed`,
        );
      const after = { ...before, status: 'CLOSED' as const, changeNumber, updatedAt: at };
      await this.documents.save(tx, companyId, [after]);
      await this.outbox.append(tx, companyId, [statusChanged(after, 'MANUAL', actorOf(caller))]);
      return after;
    });
  }
}
