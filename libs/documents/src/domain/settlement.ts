import {
  AppError,
  decimal,
  type FieldProblem,
  sum,
  toMoney,
  unknownReference,
  validationFailed,
} from '@counterfoil/kernel';
import { type CreditedSoFar, excessOf } from './credited';
import { type DocumentHeader, type DocumentStatus, isOpen } from './document';
import { isCreditable, isPayable, mayCover } from './document-type';

/**
 * The kind of a settlement: a receipt pays a document, a later document covers it, a credit note credits it.
 */
export type SettlementKind = 'ALLOCATION' | 'COVER' | 'CREDIT';

/** The amount by which a document settled another, in the currency of the settled one. */
export interface Settlement {
  readonly settledId: number;
  readonly kind: SettlementKind;
  /**
   * The part of the settled document's open amount that this settles. 0 for a credit note if nothing was
   * open.
   */
  readonly amount: number;
}

export interface NewAllocation {
  readonly documentId: number;
  readonly amount: number;
}

/** The documents that a document is requested to settle. */
export interface LinksInput {
  readonly allocations: readonly NewAllocation[];
  readonly linkedDocumentIds: readonly number[];
  readonly refundOf: number | null;
}

/** The fields of the settling document that the rules need. */
export type Settling = Pick<
  DocumentHeader,
  | 'type'
  | 'entityId'
  | 'currency'
  | 'amount'
  | 'tax'
  | 'totalWithTax'
  | 'remainingAmount'
  | 'coveredAmount'
  | 'status'
>;

/** The fields that a settlement changes. */
export type SettledState = Pick<DocumentHeader, 'status' | 'remainingAmount' | 'coveredAmount'>;

export function linkedIds({ allocations, linkedDocumentIds, refundOf }: LinksInput): number[] {
  const ids = [...allocations.map(({ documentId }) => documentId), ...linkedDocumentIds];
  return refundOf === null ? ids : [...ids, refundOf];
}

/** Returns the state of a document after `amount` of it is settled. */
export function settled(document: SettledState, amount: number, kind: SettlementKind): SettledState {
  const remainingAmount = minus(document.remainingAmount, amount);
  const coveredAmount = toMoney(sum([document.coveredAmount, amount]));
  return { remainingAmount, coveredAmount, status: statusOf(remainingAmount, coveredAmount, kind) };
}

/**
 * Returns the state of a document after a settlement of `amount` is reverted. A document that was closed by
 * hand, or replaced by another document, stays closed.
 */
export function reopened(document: SettledState, amount: number, isReplaced: boolean): SettledState {
  const closedByHand = document.status === 'CLOSED' && document.remainingAmount > 0;
  const remainingAmount = toMoney(sum([document.remainingAmount, amount]));
  const coveredAmount = minus(document.coveredAmount, amount);
  const status = closedByHand || isReplaced ? 'CLOSED' : coveredAmount > 0 ? 'PARTIALLY_PAID' : 'OPEN';
  return { remainingAmount, coveredAmount, status };
}

/** A credit note after it has settled a further amount of the credited document. */
export interface CreditedAgain {
  readonly note: DocumentHeader;
  readonly settlement: Settlement;
}

/**
 * Lets credit notes settle the reopened amounts of the documents that they credit, up to their unused
 * amounts. A note has an unused amount if its document was settled when the note was issued.
 *
 * @returns the documents in their new state and order, and the notes that settled an amount
 */
export function creditAgain(
  documents: readonly DocumentHeader[],
  notes: readonly DocumentHeader[],
): { readonly documents: readonly DocumentHeader[]; readonly credits: readonly CreditedAgain[] } {
  const after = new Map(documents.map((document) => [document.id, document]));
  const credits = notes.flatMap((note) => {
    const target = after.get(note.refundOf ?? 0);
    if (!target || !isOpen(target.status)) return [];
    const amount = Math.min(target.remainingAmount, note.remainingAmount);
    if (amount === 0) return [];
    after.set(target.id, { ...target, ...settled(target, amount, 'CREDIT') });
    const settlement: Settlement = { settledId: target.id, kind: 'CREDIT', amount };
    return [{ note: { ...note, ...spent(note, amount) }, settlement }];
  });
  return { documents: [...after.values()], credits };
}

/**
 * A fully settled document is `PAID` if the last settlement was an allocation of a receipt, and `CLOSED`
 * otherwise.
 */
function statusOf(remaining: number, covered: number, kind: SettlementKind): DocumentStatus {
  if (remaining === 0) return kind === 'ALLOCATION' ? 'PAID' : 'CLOSED';
  return covered > 0 ? 'PARTIALLY_PAID' : 'OPEN';
}

/** Returns the settling document's own state after it has used up `amount`. */
export function spent(
  { status, remainingAmount, coveredAmount }: SettledState,
  amount: number,
): SettledState {
  const state = { status, remainingAmount, coveredAmount };
  return amount === 0 ? state : settled(state, amount, 'ALLOCATION');
}

/**
 * Plans the settlements of a document (contract §8.8). A receipt pays its allocations, and the full open
 * amount of the documents that it covers. Another document covers those that it replaces. A credit note
 * credits the open amount of its document.
 *
 * @param targets the company's linked documents by id
 * @param credited the sums of the other credit notes of `refundOf`
 * @throws AppError `UNKNOWN_REFERENCE`, `VALIDATION_FAILED` or `INVALID_STATE` with the field of the link
 */
export function planSettlements(
  settling: Settling,
  links: LinksInput,
  targets: ReadonlyMap<number, DocumentHeader>,
  credited: CreditedSoFar,
): Settlement[] {
  assertNoneTwice(links);
  const plan = new Plan(settling, targets);
  for (const [index, allocation] of links.allocations.entries()) plan.allocate(allocation, index);
  for (const [index, id] of links.linkedDocumentIds.entries()) plan.cover(id, index);
  if (links.refundOf !== null) plan.credit(links.refundOf, credited);
  return plan.settlements;
}

function assertNoneTwice({ allocations, linkedDocumentIds }: LinksInput): void {
  const seen = new Map<number, string>();
  const problems: FieldProblem[] = [];
  const look = (id: number, field: string) => {
    const first = seen.get(id);
    if (first === undefined) seen.set(id, field);
    else problems.push({ field, problem: `repeats document ${id}, which ${first} names already` });
  };
  allocations.forEach(({ documentId }, index) => look(documentId, `allocations[${index}].documentId`));
  linkedDocumentIds.forEach((id, index) => look(id, `linkedDocumentIds[${index}]`));
  if (problems.length > 0) throw validationFailed(problems);
}

class Plan {
  readonly settlements: Settlement[] = [];
  /** The unallocated amount of the receipt. */
  private left: number;

  constructor(
    private readonly settling: Settling,
    private readonly targets: ReadonlyMap<number, DocumentHeader>,
  ) {
    this.left = settling.remainingAmount;
  }

  allocate({ documentId, amount }: NewAllocation, index: number): void {
    const field = `allocations[${index}].documentId`;
    const target = this.target(documentId, field);
    if (!isPayable(target.type)) throw refused(field, `is a ${target.type}, which a receipt cannot pay`);
    this.assertSameMoney(target, field);
    assertNotClosed(target, field);
    this.pay(target, amount, { field: `allocations[${index}].amount`, kind: 'ALLOCATION' });
  }

  cover(id: number, index: number): void {
    const field = `linkedDocumentIds[${index}]`;
    const target = this.target(id, field);
    const { type } = this.settling;
    if (!mayCover(type, target.type))
      throw refused(field, `is a ${target.type}, which a ${type} cannot cover`);
    this.assertSameEntity(target, field);
    const amount = target.remainingAmount;
    if (type !== 'RECEIPT') {
      assertNotClosed(target, field);
      this.settlements.push({ settledId: target.id, kind: 'COVER', amount });
      return;
    }
    if (!isOpen(target.status)) throw wrongState(target, field);
    this.assertSameMoney(target, field);
    this.pay(target, amount, { field, kind: 'COVER' });
  }

  credit(id: number, credited: CreditedSoFar): void {
    const field = 'refundOf';
    const target = this.target(id, field);
    if (!isCreditable(target.type)) throw refused(field, `is a ${target.type}, which cannot be credited`);
    this.assertSameMoney(target, field);
    const excess = excessOf(this.settling, target, credited);
    if (excess !== null) throw refused(field, excess);
    const open = isOpen(target.status) ? target.remainingAmount : 0;
    const amount = Math.min(open, this.settling.totalWithTax);
    this.settlements.push({ settledId: target.id, kind: 'CREDIT', amount });
  }

  private pay(
    target: DocumentHeader,
    amount: number,
    { field, kind }: { readonly field: string; readonly kind: SettlementKind },
  ): void {
    if (amount > target.remainingAmount) {
      throw refused(
        field,
        `is more than the open amount of document ${target.id}, ${target.remainingAmount}`,
      );
    }
    if (amount > this.left)
      throw refused(field, `needs ${amount}, but only ${this.left} of the receipt is not yet allocated`);
    this.left = minus(this.left, amount);
    this.settlements.push({ settledId: target.id, kind, amount });
  }

  private target(id: number, field: string): DocumentHeader {
    const target = this.targets.get(id);
    if (target) return target;
    throw unknownReference(field, 'document');
  }

  private assertSameEntity(target: DocumentHeader, field: string): void {
    if (target.entityId !== this.settling.entityId) throw refused(field, 'was issued to another entity');
  }

  private assertSameMoney(target: DocumentHeader, field: string): void {
    this.assertSameEntity(target, field);
    if (target.currency !== this.settling.currency) {
      throw refused(field, `is in ${target.currency}, not in ${this.settling.currency}`);
    }
  }
}

/**
 * A paid document is not refused here. For a receipt it has nothing left, which is an over-allocation.
 * Another document may replace it, because an order may be paid before it is invoiced.
 */
function assertNotClosed(target: DocumentHeader, field: string): void {
  if (!isOpen(target.status) && target.status !== 'PAID') throw wrongState(target, field);
}

function refused(field: string, problem: string): AppError {
  return validationFailed([{ field, problem }]);
}

function wrongState({ status }: DocumentHeader, field: string): AppError {
  const problem = `is ${status}`;
  return new AppError('INVALID_STATE', `${field} ${problem}`, { details: [{ field, problem }] });
}

function minus(from: number, amount: number): number {
  return toMoney(decimal(from).minus(amount));
}
