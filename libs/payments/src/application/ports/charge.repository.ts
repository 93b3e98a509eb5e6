import type { PlainDate, Transaction } from '@counterfoil/kernel';
import type { Charge } from '../../domain/charge';
import type { Operation, OperationKind } from '../../domain/operation';

/** The fields of a new charge. */
export interface NewCharge {
  readonly tokenId: number;
  readonly paymentPageId?: number;
  readonly recurringPaymentId?: number;
  readonly runDate?: PlainDate;
  readonly entityId: number | null;
  readonly documentId: number | null;
  readonly amount: number;
  readonly currency: string;
}

export interface NewOperation {
  readonly chargeId: number;
  readonly kind: OperationKind;
  readonly amount: number;
  readonly reason?: string | null;
  readonly createdAt: Date;
  /** The time of the worker's first attempt if no answer has been recorded by then. */
  readonly nextAttemptAt: Date;
}

/** Thrown if the page is paid, or another charge on it is in progress. */
export class PageTaken extends Error {
  constructor() {
    super('the page has been paid, or a payment is in progress');
  }
}

/** Writes charges and their operations. Lock order: the charge, then its operations. */
export abstract class ChargeRepository {
  /** @throws PageTaken; `tx` can then only be rolled back */
  abstract insert(tx: Transaction, companyId: number, charge: NewCharge, at: Date): Promise<Charge>;

  /** Counts the declined charges of a payment page. */
  abstract countDeclinedOn(tx: Transaction, companyId: number, paymentPageId: number): Promise<number>;

  /** Locks the charge until the end of the transaction. Returns null if the company has no such charge. */
  abstract lock(tx: Transaction, companyId: number, chargeId: number): Promise<Charge | null>;

  abstract save(tx: Transaction, companyId: number, charge: Charge): Promise<void>;

  abstract insertOperation(tx: Transaction, companyId: number, operation: NewOperation): Promise<Operation>;

  /** Counts the operations of one kind of a locked charge. */
  abstract countOperations(
    tx: Transaction,
    companyId: number,
    of: Pick<Operation, 'chargeId' | 'kind'>,
  ): Promise<number>;

  /** Returns the pending operations of a locked charge. */
  abstract pendingOf(tx: Transaction, companyId: number, chargeId: number): Promise<Operation[]>;

  abstract endOperation(tx: Transaction, companyId: number, operation: Operation, at: Date): Promise<void>;
}
