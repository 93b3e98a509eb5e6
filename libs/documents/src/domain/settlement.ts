import {
  AppError,
  decimal,
  type FieldProblem,
  sum,
  toMoney,
  unknownReference,
  validationFailed,
} from '@counterfoil/kernel';
import { type Credited, excessOf } from './credited';
import { type DocumentHeader, type DocumentStatus, isOpen } from './document';
import { isCreditable, isPayable, mayCover } from './document-type';

/** How one document settles another: a receipt pays it, a later document covers it, a credit note credits it. */
export type SettlementKind = 'ALLOCATION' | 'COVER' | 'CREDIT';

/** By how much one document settled another, in the currency of the settled one. */
export interface Settlement {
  readonly settledId: number;
  readonly kind: SettlementKind;
  /** What of the settled document's open amount it took; 0 where a credit note found nothing open. */
  readonly amount: number;
}

export interface NewAllocation {
  readonly documentId: number;
  readonly amount: number;
}

/** The documents that one document is asked to settle. */
export interface AskedLinks {
  readonly allocations: readonly NewAllocation[];
  readonly linkedDocumentIds: readonly number[];
  readonly refundOf: number | null;
}

/** The document that settles others, as far as the rules look at it. */
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

/** The state that settling changes. */
export type SettledState = Pick<DocumentHeader, 'status' | 'remainingAmount' | 'coveredAmount'>;

export function linkedIds({ allocations, linkedDocumentIds, refundOf }: AskedLinks): number[] {
  const ids = [...allocations.map(({ documentId }) => documentId), ...linkedDocumentIds];
  return refundOf === null ? ids : [...ids, refundOf];
}

/** What a document looks like once `amount` of it is settled. */
export function settled(document: SettledState, amount: number, kind: SettlementKind): SettledState {
  const remainingAmount = minus(document.remainingAmount, amount);
  const coveredAmount = toMoney(sum([document.coveredAmount, amount]));
  return { remainingAmount, coveredAmount, status: statusOf(remainingAmount, coveredAmount, kind) };
}

/**
 * What a document looks like once a settlement of `amount` is taken back. One closed by hand stays closed, and so does
 * one of which another document has taken the place.
 */
export function reopened(document: SettledState, amount: number, isReplaced: boolean): SettledState {
  const closedByHand = document.status === 'CLOSED' && document.remainingAmount > 0;
  const remainingAmount = toMoney(sum([document.remainingAmount, amount]));
  const coveredAmount = minus(document.coveredAmount, amount);
  const status = closedByHand || isReplaced ? 'CLOSED' : coveredAmount > 0 ? 'PARTIALLY_PAID' : 'OPEN';
  return { remainingAmount, coveredAmount, status };
}

/** A credit note as it is once it has taken something more of what it credits, and what it took. */
export interface CreditedAgain {
  readonly note: DocumentHeader;
  readonly settlement: Settlement;
}

/**
 * Lets credit notes take what is open again of the documents that they credit, as far as they have something left: a
 * note against what was settled already found nothing open, until that was taken back.
 *
 * @returns the documents as they are then, in their order, and the notes that took something
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

/** Settled whole it is `PAID` by a receipt's allocation and `CLOSED` by whatever else settled the last of it. */
function statusOf(remaining: number, covered: number, kind: SettlementKind): DocumentStatus {
  if (remaining === 0) return kind === 'ALLOCATION' ? 'PAID' : 'CLOSED';
  return covered > 0 ? 'PARTIALLY_PAID' : 'OPEN';
}

/** The settling document's own state once it has given away `amount`. */
export function spent(
  { status, remainingAmount, coveredAmount }: SettledState,
  amount: number,
): SettledState {
  const state = { status, remainingAmount, coveredAmount };
  return amount === 0 ? state : settled(state, amount, 'ALLOCATION');
}

/**
 * Works out what a document settles (decisions §9): a receipt pays its allocations and what it covers whole, another
 * document covers what it takes the place of, a credit note takes what is open of the document it credits.
 *
 * @param targets the company's documents by id, of those that are linked
 * @param credited what other credit notes have credited of `refundOf` already
 * @throws AppError `UNKNOWN_REFERENCE`, `VALIDATION_FAILED` or `INVALID_STATE`, naming the field
 */
export function planSettlements(
  settling: Settling,
  asked: AskedLinks,
  targets: ReadonlyMap<number, DocumentHeader>,
  credited: Credited,
): Settlement[] {
  assertNoneTwice(asked);
  const plan = new Plan(settling, targets);
  for (const [index, allocation] of asked.allocations.entries()) plan.allocate(allocation, index);
  for (const [index, id] of asked.linkedDocumentIds.entries()) plan.cover(id, index);
  if (asked.refundOf !== null) plan.credit(asked.refundOf, credited);
  return plan.settlements;
}

function assertNoneTwice({ allocations, linkedDocumentIds }: AskedLinks): void {
  const seen = new Set<number>();
  const problems: FieldProblem[] = [];
  const look = (id: number, field: string) => {
    if (seen.has(id)) problems.push({ field, problem: 'names a document a second time' });
    seen.add(id);
  };
  allocations.forEach(({ documentId }, index) => look(documentId, `allocations[${index}].documentId`));
  linkedDocumentIds.forEach((id, index) => look(id, `linkedDocumentIds[${index}]`));
  if (problems.length > 0) throw validationFailed(problems);
}

class Plan {
  readonly settlements: Settlement[] = [];
  /** What a receipt has left to give. */
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
    if (!isPayable(target.type)) throw refused(field, `is a ${target.type}, which no receipt pays for`);
    this.assertSameMoney(target, field);
    assertNotClosed(target, field);
    this.pay(target, amount, { field: `allocations[${index}].amount`, kind: 'ALLOCATION' });
  }

  cover(id: number, index: number): void {
    const field = `linkedDocumentIds[${index}]`;
    const target = this.target(id, field);
    const { type } = this.settling;
    if (!mayCover(type, target.type)) throw refused(field, `is a ${target.type}, which no ${type} covers`);
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

  credit(id: number, credited: Credited): void {
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
        `is more than the ${target.remainingAmount} that remains of document ${target.id}`,
      );
    }
    if (amount > this.left) throw refused(field, `is more than the ${this.left} that the receipt has left`);
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
 * One that is paid is not refused for its state. To a receipt it has nothing left, which is what over-allocating is;
 * another document takes its place: an order may be paid before it is invoiced.
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
