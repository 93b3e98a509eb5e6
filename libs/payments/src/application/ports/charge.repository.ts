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
  /** From when on the worker asks the provider, if nobody has recorded its answer. */
  readonly nextAttemptAt: Date;
}

/** Somebody pays this page, or has paid it. */
export class PageTaken extends Error {
  constructor() {
    super('the page is being paid, or is paid');
  }
}

/** Writes charges and their operations. A change locks the charge first, then its operations. */
export abstract class ChargeRepository {
  /** @throws PageTaken, after which `tx` can only be rolled back */
  abstract insert(tx: Transaction, companyId: number, charge: NewCharge, at: Date): Promise<Charge>;

  /** How many charges were made on a payment page. */
  abstract countOn(tx: Transaction, companyId: number, paymentPageId: number): Promise<number>;

  /** Locks the charge until the transaction ends. Null when the company has no such charge. */
  abstract lock(tx: Transaction, companyId: number, chargeId: number): Promise<Charge | null>;

  abstract save(tx: Transaction, companyId: number, charge: Charge): Promise<void>;

  abstract insertOperation(tx: Transaction, companyId: number, operation: NewOperation): Promise<Operation>;

  /** The operations on a locked charge whose outcome is unknown. */
  abstract pendingOf(tx: Transaction, companyId: number, chargeId: number): Promise<Operation[]>;

  abstract endOperation(tx: Transaction, companyId: number, operation: Operation, at: Date): Promise<void>;
}
