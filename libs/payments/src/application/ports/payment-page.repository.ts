import type { Transaction } from '@counterfoil/kernel';

export interface PaymentPage {
  readonly id: number;
  readonly companyId: number;
  readonly provider: string;
  readonly amount: number;
  readonly currency: string;
  readonly description: string;
  readonly entityId: number | null;
}

export interface NewPaymentPage extends Omit<PaymentPage, 'id' | 'companyId'> {
  /** A secret: anyone who knows it may pay. */
  readonly pageKey: string;
  readonly createdAt: Date;
}

export abstract class PaymentPageRepository {
  /** @returns the id of the page */
  abstract insert(tx: Transaction, companyId: number, page: NewPaymentPage): Promise<number>;
}
