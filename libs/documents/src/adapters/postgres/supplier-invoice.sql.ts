import { advisoryLock, statement } from '@counterfoil/database';
import type { SupplierInvoiceRow } from '../../application/ports/supplier-invoice.reader';
import type { NewSupplierInvoice } from '../../application/ports/supplier-invoice.repository';
import type { SupplierInvoice } from '../../domain/supplier-invoice';

interface OfCompany {
  readonly companyId: number;
}

/** Columns aliased to the fields of a supplier invoice. */
const COLUMNS = `
  s.id, s.visible_id as "visibleId", s.number, s.entity_id as "vendorId", s.document_number as "documentNumber", s.date,
  s.title, s.currency, s.total, s.tax, s.deductable_tax as "deductableTax", s.notes, s.cancelled,
  s.cancellation_reason as "cancellationReason", s.created_at as "createdAt", s.updated_at as "updatedAt"`;

export const ROW_COLUMNS = `${COLUMNS}, e.visible_id as "vendorVisibleId", e.name as "vendorName"`;
const SELECT_ROWS = `select ${ROW_COLUMNS} from supplier_invoices s join entities e on e.id = s.entity_id`;

export const FIND = {
  byId: statement<OfCompany & { readonly id: number }, SupplierInvoiceRow>(
    'supplier_invoices: by id',
    `${SELECT_ROWS} where s.company_id = :companyId and s.id = :id`,
  ),
  byVisibleId: statement<OfCompany & { readonly visibleId: string }, SupplierInvoiceRow>(
    'supplier_invoices: by visible id',
    `${SELECT_ROWS} where s.company_id = :companyId and s.visible_id = :visibleId`,
  ),
};

/** A separate statement, so that the next one sees the state after the lock was acquired. */
export const LOCK_NUMBERS = statement<OfCompany>(
  'supplier_invoices: lock numbers',
  `select ${advisoryLock('pg_advisory_xact_lock', 'supplier invoices', ':companyId')}`,
);

export const INSERT = statement<{ readonly invoice: NewSupplierInvoice }, SupplierInvoice>(
  'supplier_invoices: insert',
  `insert into supplier_invoices as s (number, company_id, visible_id, entity_id, document_number, date, title,
     currency, total, tax, deductable_tax, notes, created_at, updated_at)
   values (
     coalesce((select number from supplier_invoices where company_id = :invoice.companyId
                order by number desc limit 1), 0) + 1,
     :invoice.companyId, :invoice.visibleId, :invoice.vendorId, :invoice.documentNumber, :invoice.date,
     :invoice.title, :invoice.currency, :invoice.total, :invoice.tax, :invoice.deductableTax, :invoice.notes,
     :invoice.createdAt, :invoice.createdAt)
   returning ${COLUMNS}`,
);

export const LOCK = statement<OfCompany & { readonly visibleId: string }, SupplierInvoice>(
  'supplier_invoices: lock',
  `select ${COLUMNS} from supplier_invoices s
    where s.company_id = :companyId and s.visible_id = :visibleId for no key update`,
);

export const SAVE_CANCELLATION = statement<OfCompany & { readonly invoice: SupplierInvoice }>(
  'supplier_invoices: save cancellation',
  `update supplier_invoices
      set cancelled = :invoice.cancelled, cancellation_reason = :invoice.cancellationReason,
          updated_at = :invoice.updatedAt
    where company_id = :companyId and id = :invoice.id`,
);
