import { within } from '@counterfoil/database';
import type { Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import {
  type NewSupplierInvoice,
  SupplierInvoiceRepository,
} from '../../application/ports/supplier-invoice.repository';
import type { SupplierInvoice } from '../../domain/supplier-invoice';
import { INSERT, LOCK, LOCK_NUMBERS, SAVE_CANCELLATION } from './supplier-invoice.sql';

@Injectable()
export class PostgresSupplierInvoiceRepository extends SupplierInvoiceRepository {
  override async insert(tx: Transaction, invoice: NewSupplierInvoice): Promise<SupplierInvoice> {
    await within(tx).rows(LOCK_NUMBERS, { companyId: invoice.companyId });
    return within(tx).only(INSERT, { invoice });
  }

  override lock(tx: Transaction, companyId: number, visibleId: string): Promise<SupplierInvoice | null> {
    return within(tx).first(LOCK, { companyId, visibleId });
  }

  override async saveCancellation(
    tx: Transaction,
    companyId: number,
    invoice: SupplierInvoice,
  ): Promise<void> {
    await within(tx).rows(SAVE_CANCELLATION, { companyId, invoice });
  }
}
