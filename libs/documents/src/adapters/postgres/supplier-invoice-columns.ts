/** The columns of `supplier_invoices s`, named as the fields of a supplier invoice are. */
export const SUPPLIER_INVOICE_COLUMNS = `
  s.id, s.visible_id as "visibleId", s.number, s.entity_id as "vendorId", s.document_number as "documentNumber", s.date,
  s.title, s.currency, s.total, s.tax, s.deductable_tax as "deductableTax", s.notes, s.cancelled,
  s.cancellation_reason as "cancellationReason", s.created_at as "createdAt", s.updated_at as "updatedAt"`;
