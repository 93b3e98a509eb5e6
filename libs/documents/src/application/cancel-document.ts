import { AppError, type Caller, type Transaction } from '@counterfoil/kernel';
import { Outbox } from '@counterfoil/outbox';
import { Injectable } from '@nestjs/common';
import type { DocumentHeader } from '../domain/document';
import { isCancellable } from '../domain/document-type';
import { actorOf, cancelled, reasonOf, statusChanged } from './events';
import { creditAgain, reopened, type Settlement, type SettlementKind } from '../domain/settlement';
import { DocumentTransactions } from './document-transactions';
import { type Change, DocumentRepository } from './ports/document.repository';

/** Cancels a receipt or a credit note, and reopens the documents that it settled (contract §8.9). */
@Injectable()
export class CancelDocument {
  constructor(
    private readonly transactions: DocumentTransactions,
    private readonly documents: DocumentRepository,
    private readonly outbox: Outbox,
  ) {}

  /**
   * @throws AppError `NOT_FOUND`, `INVALID_STATE` if the document cannot be cancelled or is cancelled already
   */
  execute(caller: Caller, visibleId: string, reason: string): Promise<DocumentHeader> {
    const { companyId } = caller;
    return this.transactions.run(companyId, async (tx) => {
      const change = await this.documents.openChange(tx, companyId);
      const before = await this.documents.loadByVisibleId(tx, companyId, visibleId);
      if (!before) throw new AppError('NOT_FOUND', 'no such document');
      assertCancellable(before);
      const after = asCancelled(before, reason, change);
      const settling = { settlingId: before.id, at: change.at };
      const taken = await this.documents.reverseSettlements(tx, companyId, settling);
      const reopenedOnes = await this.reopened(tx, companyId, taken, change);
      const { documents, notes } = await this.creditAgain(tx, { companyId, change, after }, reopenedOnes);
      await this.documents.save(tx, companyId, [
        after,
        ...documents.map(({ document }) => document),
        ...notes,
      ]);
      const changedBy = actorOf(caller);
      await this.outbox.append(tx, companyId, [
        cancelled(after, reason),
        ...documents.map(({ document, kind }) => statusChanged(document, reasonOf(kind), changedBy)),
        ...notes.map((note) => statusChanged(note, reasonOf('CREDIT'), changedBy)),
      ]);
      return after;
    });
  }

  private async reopened(
    tx: Transaction,
    companyId: number,
    taken: readonly Settlement[],
    { changeNumber, at }: Change,
  ): Promise<Reopened[]> {
    // A receipt may have been allocated to the same invoice several times.
    const byDocument = new Map<number, Settlement[]>();
    for (const one of taken) {
      if (one.amount === 0 && one.kind !== 'COVER') continue;
      byDocument.set(one.settledId, [...(byDocument.get(one.settledId) ?? []), one]);
    }
    if (byDocument.size === 0) return [];
    const ids = [...byDocument.keys()];
    const documents = await this.documents.load(tx, companyId, ids);
    const replaced = await this.documents.replacedOf(tx, companyId, ids);
    return documents.map((before) => {
      const own = byDocument.get(before.id) ?? [];
      const state = own.reduce(
        (document, { amount }) => ({ ...document, ...reopened(document, amount, replaced.has(before.id)) }),
        before,
      );
      const kind = own[0]?.kind ?? 'ALLOCATION';
      return { document: { ...state, changeNumber, updatedAt: at }, kind };
    });
  }

  /**
   * Lets credit notes settle the reopened amounts. Returns the documents and the credit notes in their new
   * state.
   */
  private async creditAgain(
    tx: Transaction,
    { companyId, change: { changeNumber, at }, after }: Cancellation,
    reopenedOnes: readonly Reopened[],
  ): Promise<{ readonly documents: readonly Reopened[]; readonly notes: readonly DocumentHeader[] }> {
    if (reopenedOnes.length === 0) return { documents: [], notes: [] };
    const ids = reopenedOnes.map(({ document }) => document.id);
    const waiting = await this.documents.openCreditNotesOf(tx, companyId, ids);
    const { documents, credits } = creditAgain(
      reopenedOnes.map(({ document }) => document),
      waiting.filter(({ id }) => id !== after.id),
    );
    for (const { note, settlement } of credits) {
      await this.documents.addSettlements(tx, companyId, { settlingId: note.id, at }, [settlement]);
    }
    const credited = new Set(credits.map(({ settlement }) => settlement.settledId));
    return {
      documents: reopenedOnes.map(({ document, kind }, index) => ({
        document: documents[index] ?? document,
        kind: credited.has(document.id) ? 'CREDIT' : kind,
      })),
      notes: credits.map(({ note }) => ({ ...note, changeNumber, updatedAt: at })),
    };
  }
}

/** A document whose settlement changed, with the documents that settle it or did so before. */
interface Reopened {
  readonly document: DocumentHeader;
  readonly kind: SettlementKind;
}

interface Cancellation {
  readonly companyId: number;
  readonly change: Change;
  /** The cancelled document in its new state. */
  readonly after: DocumentHeader;
}

function assertCancellable({ type, status }: DocumentHeader): void {
  if (!isCancellable(type)) {
    throw new AppError('INVALID_STATE', `a ${type} cannot be cancelled; issue a credit note for it`);
  }
  if (status === 'CANCELLED') throw new AppError('INVALID_STATE', 'the document is cancelled already');
}

/** A cancelled document has no open amount, and settles nothing. */
function asCancelled(before: DocumentHeader, reason: string, { changeNumber, at }: Change): DocumentHeader {
  return {
    ...before,
    status: 'CANCELLED',
    cancelled: true,
    cancellationReason: reason,
    remainingAmount: 0,
    coveredAmount: 0,
    changeNumber,
    updatedAt: at,
  };
}
