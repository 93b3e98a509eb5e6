import type { Transaction } from '@counterfoil/kernel';

/** A charge that comes back at intervals. */
export interface RecurringPayment {
  readonly id: number;
  /** The numeric id of the saved card. */
  readonly tokenId: number;
  readonly amount: number;
  readonly currency: string;
  readonly entityId: number | null;
}

export interface NewRecurringPayment extends RecurringPayment {
  readonly createdAt: Date;
}

/** Recurring payments, each beside the schedule that has its id. */
export abstract class RecurringPaymentRepository {
  abstract insert(tx: Transaction, companyId: number, payment: NewRecurringPayment): Promise<void>;

  /** Null when the company has no such recurring payment. */
  abstract find(companyId: number, id: number): Promise<RecurringPayment | null>;

  /** The ids of those, ended ones included, that charge a card which is locked. */
  abstract idsOfCard(tx: Transaction, companyId: number, tokenId: number): Promise<number[]>;
}
