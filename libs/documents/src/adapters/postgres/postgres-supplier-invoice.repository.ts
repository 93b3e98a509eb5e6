import { advisoryLock, managerOf } from '@counterfoil/database';
import type { Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import {
  type NewSupplierInvoice,
  SupplierInvoiceRepository,
} from '../../application/ports/supplier-invoice.repository';
import type { SupplierInvoice } from '../../domain/supplier-invoice';
import { SUPPLIER_INVOICE_COLUMNS } from './supplier-invoice-columns';

const LOCK = `select ${advisoryLock('pg_advisory_xact_lock', 'supplier invoices', '$1')}`;

@Injectable()
export class PostgresSupplierInvoiceRepository extends SupplierInvoiceRepository {
  override async insert(tx: Transaction, invoice: NewSupplierInvoice): Promise<SupplierInvoice> {
    const manager = managerOf(tx);
    // A statement of its own: the next one sees what stands there once the lock is there.
    await manager.query(LOCK, [invoice.companyId]);
    const [inserted] = await manager.query<SupplierInvoice[]>(
      `insert into supplier_invoices as s (number, company_id, visible_id, entity_id, document_number, date, title,
         currency, total, tax, deductable_tax, notes, created_at, updated_at)
       values (
         coalesce((select number from supplier_invoices where company_id = $1 order by number desc limit 1), 0) + 1,
         $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12)
       returning ${SUPPLIER_INVOICE_COLUMNS}`,
      [
        ...[invoice.companyId, invoice.visibleId, invoice.vendorId, invoice.documentNumber, invoice.date],
        ...[
          invoice.title,
          invoice.currency,
          invoice.total,
          invoice.tax,
          invoice.deductableTax,
          invoice.notes,
        ],
        invoice.createdAt,
      ],
    );
    if (!inserted) throw new Error('the insert returned no row');
    return inserted;
  }

  override async lock(
    tx: Transaction,
    companyId: number,
    visibleId: string,
  ): Promise<SupplierInvoice | null> {
    const [found] = await managerOf(tx).query<SupplierInvoice[]>(
      `select ${SUPPLIER_INVOICE_COLUMNS} from supplier_invoices s
        where s.company_id = $1 and s.visible_id = $2 for no key update`,
      [companyId, visibleId],
    );
    return found ?? null;
  }

  override async saveCancellation(
    tx: Transaction,
    companyId: number,
    invoice: SupplierInvoice,
  ): Promise<void> {
    const { id, cancelled, cancellationReason, updatedAt } = invoice;
    await managerOf(tx).query(
      `update supplier_invoices set cancelled = $3, cancellation_reason = $4, updated_at = $5
        where company_id = $1 and id = $2`,
      [companyId, id, cancelled, cancellationReason, updatedAt],
    );
  }
}
