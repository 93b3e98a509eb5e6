import type { Transaction } from '@counterfoil/kernel';

/** An order to charge a saved card at intervals. */
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

/** Stores recurring payments. Each has a schedule with the same id. */
export abstract class RecurringPaymentRepository {
  abstract insert(tx: Transaction, companyId: number, payment: NewRecurringPayment): Promise<void>;

  /** Returns null if the company has no such recurring payment. */
  abstract find(companyId: number, id: number): Promise<RecurringPayment | null>;

  /** Returns the ids of the recurring payments of a card that have not ended. The card must be locked. */
  abstract idsOfCard(tx: Transaction, companyId: number, tokenId: number): Promise<number[]>;
}
