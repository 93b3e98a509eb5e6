import type { ListDefinition } from '@counterfoil/lists';
import type { SupplierInvoiceFilter } from '../../application/ports/supplier-invoice.reader';
import { ROW_COLUMNS } from './supplier-invoice.sql';

export const SUPPLIER_INVOICES: ListDefinition<SupplierInvoiceFilter, 'date'> = {
  name: 'supplier invoices',
  from: 'supplier_invoices s',
  id: 's.id',
  scope: 's.company_id = $1',
  filters: { startDate: 's.date >= ?', endDate: 's.date <= ?', vendorId: 's.entity_id = ?' },
  sorts: { date: ['s.date', 's.id'] },
  rows: {
    columns: ROW_COLUMNS,
    joins: 'join supplier_invoices s on s.id = page.id join entities e on e.id = s.entity_id',
  },
};
