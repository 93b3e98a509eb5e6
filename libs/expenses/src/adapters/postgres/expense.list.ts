import { byCodePoints, type ListDefinition, searchIn } from '@counterfoil/lists';
import { MONEY_MAX } from '@counterfoil/kernel';
import type { CombinedSort, ExpenseFilter, ExpenseSort } from '../../application/ports/expense.reader';
import { SHOWN_COLUMNS, SHOWN_FIELDS, type ShownField } from './expense-columns';
import { shekelsSql } from './in-shekels-sql';

/** Reads a column of the company's change counter; 0 if the company has none. */
const ofExpenses = (column: string) =>
  `coalesce((select ${column} from cost_counts where company_id = $1 order by change_number desc limit 1), 0)`;
const ofSupplierInvoices = (column: string) => `coalesce((
  select ${column} from supplier_invoice_counts where company_id = $1 order by change_number desc limit 1), 0)`;

/** A subquery for each row, because for a join the planner would read all vendors of the company. */
const LOOKED_UP = `(select v.name from entities v where v.id = e.entity_id) as "vendorName",
  (select u.name from users u where u.id = e.user_id) as "userName",
  (select f.sha256 from files f where f.id = e.file_id) as "fileSha256"`;

export const EXPENSE_ROW = `${SHOWN_COLUMNS}, 'EXPENSE' as source, ${LOOKED_UP}`;

const filters = {
  vendorId: 'c.entity_id = ?',
  startDate: 'c.date >= ?',
  endDate: 'c.date <= ?',
};
const SEARCHED = ['c.title_key', 'c.document_number_key', 'c.notes_key'];

export const EXPENSES: ListDefinition<ExpenseFilter, ExpenseSort['by']> = {
  name: 'expenses',
  from: 'expenses c',
  id: 'c.id',
  scope: 'c.company_id = $1',
  filters: { ...filters, search: searchIn((term) => `search_expenses($1, ${term}) c`, SEARCHED) },
  sorts: {
    date: ['c.date', 'c.id'],
    id: ['c.id'],
    title: [byCodePoints('c.title_key'), 'c.id'],
    total: ['c.total', 'c.id'],
    tax: ['c.tax', 'c.id'],
    deductableTax: ['c.deductable_tax', 'c.id'],
    isEquipment: ['c.is_equipment', 'c.id'],
  },
  rows: {
    columns: EXPENSE_ROW,
    joins: 'left join expenses e on e.company_id = $1 and e.id = page.id',
  },
  version: ofExpenses('change_number'),
  total: ({ isAll }) => (isAll ? ofExpenses('expenses') : null),
};

/** Unites both tables. `side` tells which table a row is from. */
const both = (columns: string, expenses: string, supplierInvoices: string) => `(
  select ${columns}, 0 as side, false as cancelled from ${expenses}
  union all
  select ${columns}, 1, ${supplierInvoices}) c`;
const LISTED = 'id, company_id, entity_id, date, title_key, document_number_key, notes_key, total';

/** The fields of an expense, read from `supplier_invoices s`, its rate `r` and its amount in shekels `c`. */
const OF_SUPPLIER_INVOICE: Readonly<Record<ShownField, string>> = {
  id: 's.id',
  entityId: 's.entity_id',
  userId: 'null',
  fileId: 'null',
  title: 's.title',
  date: 's.date',
  documentNumber: 's.document_number',
  currency: 's.currency',
  total: 's.total',
  tax: 's.tax',
  deductableTax: 's.deductable_tax',
  isEquipment: 'false',
  notes: 's.notes',
  totalInILS: `case when s.currency = 'ILS' then s.total when c.shekels <= ${MONEY_MAX} then c.shekels end`,
  exchangeRate: 'r.rate',
  exchangeRateUnit: 'r.unit',
  exchangeRateDate: 'r.date',
  createdAt: 's.created_at',
};
/** In the order of `EXPENSE_ROW`, with which it is united. */
const SUPPLIER_INVOICE_ROW = `${SHOWN_FIELDS.map((field) => OF_SUPPLIER_INVOICE[field]).join(', ')},
  'SUPPLIER_INVOICE', (select v.name from entities v where v.id = s.entity_id), null, null`;

/**
 * Expenses and supplier invoices in one list. The filters apply to the whole union and not to each part, so
 * that the planner merges the indexes of both tables in the order of the sort. Ids are unique across both
 * tables: twice the id in the table, plus one for a supplier invoice.
 */
export const EXPENSES_AND_INVOICES: ListDefinition<ExpenseFilter, CombinedSort['by']> = {
  name: 'costs',
  from: both(LISTED, 'expenses', 'cancelled from supplier_invoices'),
  id: 'c.id * 2 + c.side',
  scope: 'c.company_id = $1 and not c.cancelled',
  filters: {
    ...filters,
    search: searchIn(
      (term) =>
        both(LISTED, `search_expenses($1, ${term})`, `false from search_supplier_invoices($1, ${term})`),
      SEARCHED,
    ),
  },
  sorts: {
    date: ['c.date', 'c.id', 'c.side'],
    title: [byCodePoints('c.title_key'), 'c.id', 'c.side'],
    total: ['c.total', 'c.id', 'c.side'],
  },
  rows: {
    columns: 'c.*',
    // A supplier invoice stores no rate, so it is converted with the applicable rate.
    joins: `left join lateral (
      select null::uuid as "documentVisibleId", ${EXPENSE_ROW}
        from expenses e where page.id % 2 = 0 and e.company_id = $1 and e.id = page.id / 2
      union all
      select s.visible_id, ${SUPPLIER_INVOICE_ROW}
        from supplier_invoices s
        left join lateral rate_on(s.company_id, s.currency, s.date) r on s.currency <> 'ILS'
        left join lateral (select ${shekelsSql('s.total')} as shekels) c on true
       where page.id % 2 = 1 and s.company_id = $1 and s.id = page.id / 2
    ) c on true`,
  },
  version: `${ofExpenses('change_number')} || '-' || ${ofSupplierInvoices('change_number')}`,
  total: ({ isAll }) =>
    isAll ? `${ofExpenses('expenses')} + ${ofSupplierInvoices('supplier_invoices')}` : null,
};
