/** The columns of `expenses e` that lists show, aliased to the fields of an expense. */
export const SHOWN_COLUMNS = `
  e.id, e.entity_id as "entityId", e.user_id as "userId", e.file_id as "fileId", e.title, e.date,
  e.document_number as "documentNumber", e.currency, e.total, e.tax, e.deductable_tax as "deductableTax",
  e.is_equipment as "isEquipment", e.notes, e.total_in_ils as "totalInILS", e.exchange_rate as "exchangeRate",
  e.exchange_rate_unit as "exchangeRateUnit", e.exchange_rate_date as "exchangeRateDate", e.created_at as "createdAt"`;

/** All columns of `expenses e`, aliased to the fields of an expense. */
export const EXPENSE_COLUMNS = `
  e.company_id as "companyId", ${SHOWN_COLUMNS}, e.updated_at as "updatedAt"`;
