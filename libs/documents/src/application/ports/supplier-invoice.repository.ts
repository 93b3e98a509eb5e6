import type { Transaction } from '@counterfoil/kernel';
import type { SupplierInvoice, SupplierInvoiceDetails } from '../../domain/supplier-invoice';

export interface NewSupplierInvoice extends SupplierInvoiceDetails {
  readonly companyId: number;
  readonly visibleId: string;
  readonly createdAt: Date;
}

/** Writes supplier invoices. None is ever removed. */
export abstract class SupplierInvoiceRepository {
  /** Gives it the company's next number, under a lock that is held to the end of the transaction. */
  abstract insert(tx: Transaction, invoice: NewSupplierInvoice): Promise<SupplierInvoice>;

  /** Reads it and locks it until the end of the transaction. Null when this company has no such invoice. */
  abstract lock(tx: Transaction, companyId: number, visibleId: string): Promise<SupplierInvoice | null>;

  /** Writes that it is cancelled, and why. */
  abstract saveCancellation(tx: Transaction, companyId: number, invoice: SupplierInvoice): Promise<void>;
}
