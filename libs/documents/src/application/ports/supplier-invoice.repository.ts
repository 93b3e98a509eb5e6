import type { Transaction } from '@counterfoil/kernel';
import type { SupplierInvoice, SupplierInvoiceDetails } from '../../domain/supplier-invoice';

export interface NewSupplierInvoice extends SupplierInvoiceDetails {
  readonly companyId: number;
  readonly visibleId: string;
  readonly createdAt: Date;
}

/** Writes supplier invoices. They are never removed. */
export abstract class SupplierInvoiceRepository {
  /** Inserts the invoice with the company's next number, which is locked until the transaction ends. */
  abstract insert(tx: Transaction, invoice: NewSupplierInvoice): Promise<SupplierInvoice>;

  /** Reads the invoice and locks it until the transaction ends. Null if this company has no such invoice. */
  abstract lock(tx: Transaction, companyId: number, visibleId: string): Promise<SupplierInvoice | null>;

  /** Writes the cancellation and its reason. */
  abstract saveCancellation(tx: Transaction, companyId: number, invoice: SupplierInvoice): Promise<void>;
}
