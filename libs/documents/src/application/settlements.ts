import { FaultPoints } from '@counterfoil/config';
import { sum, toMoney, type Transaction } from '@counterfoil/kernel';
import type { NewEvent } from '@counterfoil/outbox';
import { Injectable } from '@nestjs/common';
import type { CreditedSoFar } from '../domain/credited';
import type { DocumentHeader } from '../domain/document';
import { type Actor, allocated, type AllocatedTo, reasonOf, refunded, statusChanged } from './events';
import {
  type LinksInput,
  linkedIds,
  planSettlements,
  settled,
  type SettledState,
  type Settlement,
  type SettlementKind,
  type Settling,
  spent,
} from '../domain/settlement';
import { type Change, DocumentRepository } from './ports/document.repository';

const NOTHING: CreditedSoFar = { amount: 0, tax: 0, totalWithTax: 0, count: 0 };

/** The documents that links name, and the credit notes so far of the one that is to be credited. */
export interface Linked {
  readonly targets: ReadonlyMap<number, DocumentHeader>;
  readonly credited: CreditedSoFar;
}

/** A document to settle, in the state that was read, and the amount. */
export interface PlannedSettlement {
  readonly target: DocumentHeader;
  readonly kind: SettlementKind;
  readonly amount: number;
}

/** The settling document in its new state, and its change. */
export interface CarriedOut {
  readonly companyId: number;
  readonly settling: DocumentHeader;
  readonly change: Change;
  readonly changedBy: Actor;
}

export interface Settled {
  /** The settled documents in their new state, in the order of the request. */
  readonly settled: readonly AllocatedTo[];
  /** The events for the outbox. */
  readonly events: readonly NewEvent[];
}

/** Settles documents by other documents, for issuing and for allocating (contract §8.8). */
@Injectable()
export class Settlements {
  constructor(
    private readonly documents: DocumentRepository,
    private readonly faults: FaultPoints,
  ) {}

  /** Reads what `plan` needs. Those of the documents that the company does not have are left out. */
  async find(tx: Transaction, companyId: number, links: LinksInput): Promise<Linked> {
    const ids = linkedIds(links);
    if (ids.length === 0) return { targets: new Map(), credited: NOTHING };
    const found = await this.documents.load(tx, companyId, ids);
    this.faults.reach('settling.loaded');
    const targets = new Map(found.map((document) => [document.id, document]));
    const { refundOf } = links;
    const credited = refundOf === null ? NOTHING : await this.documents.creditedOf(tx, companyId, refundOf);
    return { targets, credited };
  }

  /**
   * @throws AppError `UNKNOWN_REFERENCE`, `VALIDATION_FAILED` or `INVALID_STATE` with the field of the link
   */
  plan(settling: Settling, links: LinksInput, { targets, credited }: Linked): PlannedSettlement[] {
    return planSettlements(settling, links, targets, credited).flatMap((settlement) => {
      const target = targets.get(settlement.settledId);
      return target ? [{ ...settlement, target }] : [];
    });
  }

  /** Writes the settlements and the changed documents. */
  async carryOut(
    tx: Transaction,
    { companyId, settling, change, changedBy }: CarriedOut,
    planned: readonly PlannedSettlement[],
  ): Promise<Settled> {
    if (planned.length === 0) return { settled: [], events: [] };
    const after = planned.map((one) => ({ ...one, document: afterwards(one, change) }));
    const changed = after.filter(changes);
    await this.documents.save(
      tx,
      companyId,
      changed.map(({ document }) => document),
    );
    this.faults.reach('settling.saved');
    const made = planned.map(({ target, kind, amount }): Settlement => ({
      settledId: target.id,
      kind,
      amount,
    }));
    await this.documents.addSettlements(tx, companyId, { settlingId: settling.id, at: change.at }, made);
    const events = [
      ...(settling.type === 'RECEIPT' ? [allocated(settling, after)] : []),
      ...after.filter(({ kind }) => kind === 'CREDIT').map(({ document }) => refunded(document, settling)),
      ...changed.map(({ document, kind }) => statusChanged(document, reasonOf(kind), changedBy)),
    ];
    return { settled: after, events };
  }
}

/**
 * Returns the settling document's state after the planned settlements. Only receipts and credit notes use up
 * their own amount.
 */
export function stateAfter(settling: Settling, planned: readonly PlannedSettlement[]): SettledState {
  const given = planned.filter(({ kind }) => kind !== 'COVER' || settling.type === 'RECEIPT');
  return spent(settling, toMoney(sum(given.map(({ amount }) => amount))));
}

/** False for a credit note that settles nothing, because its document was already paid. */
function changes({ kind, amount }: PlannedSettlement): boolean {
  return amount > 0 || kind === 'COVER';
}

function afterwards(planned: PlannedSettlement, { changeNumber, at }: Change): DocumentHeader {
  const { target, kind, amount } = planned;
  if (!changes(planned)) return target;
  return { ...target, ...settled(target, amount, kind), changeNumber, updatedAt: at };
}
