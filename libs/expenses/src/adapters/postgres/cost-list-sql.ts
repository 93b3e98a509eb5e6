import {
  BEGINNING_MAX,
  containing,
  EPOCH,
  GRAM_LENGTH,
  type PreparedStatement,
  type RememberedList,
  type Statement,
  walkTo,
} from '@counterfoil/database';
import { MONEY_MAX } from '@counterfoil/kernel';
import type { PageRequest } from '@counterfoil/pagination';
import type { CostSource, ExpenseFilter, ExpenseList } from '../../application/ports/expense.reader';
import { SHOWN_COLUMNS } from './expense-columns';
import { shekelsSql } from './in-shekels-sql';

/** Rows of two tables are told apart by a key: twice the id, and one more for a supplier invoice. */
export function keyOf({ source, id }: { readonly source: CostSource; readonly id: number }): number {
  return id * 2 + (source === 'EXPENSE' ? 0 : 1);
}

/** The ids that keys are made of. */
export function idsOf(keys: readonly number[], source: CostSource): number[] {
  const side = source === 'EXPENSE' ? 0 : 1;
  return keys.filter((key) => key % 2 === side).map((key) => (key - side) / 2);
}

/** The key as SQL, and what makes an order unique. */
const KEYS = {
  own: { columns: 'c.id * 2', tie: ['c.id'] },
  all: { columns: 'c.id * 2 + c.side', tie: ['c.id', 'c.side'] },
} as const;

const LISTED = 'id, company_id, entity_id, date, title_key, document_number_key, notes_key, total';

/**
 * The conditions of a list stand outside of the union: so the planner takes its parts for one table, and merges two indexes
 * in the order of the list instead of sorting everything.
 */
const ALL = `(
  select ${LISTED}, 0 as side, false as cancelled from expenses
  union all
  select ${LISTED}, 1, cancelled from supplier_invoices)`;

const SORT_COLUMNS: Record<ExpenseList['sort']['by'], readonly string[]> = {
  id: [],
  date: ['c.date'],
  title: ['c.title_key'],
  total: ['c.total'],
  tax: ['c.tax'],
  deductableTax: ['c.deductable_tax'],
  isEquipment: ['c.is_equipment'],
};

const CHANGE = `${EPOCH} as epoch, coalesce(last.change_number, 0) as "changeNumber"`;

/** The company's last change and what it counts; of a company that has no costs, the change is 0. */
const LAST_CHANGE = `
  (select 1) always left join lateral (
    select * from cost_counts where company_id = $1 order by change_number desc limit 1
  ) last on true`;

/** The rows of a company that a list shows, as SQL. */
export class CostListSql implements RememberedList {
  readonly name: string;
  private readonly from: string;
  private readonly where: string;
  private readonly parameters: readonly unknown[];
  private readonly key: string;
  private readonly sortColumns: readonly string[];
  private readonly counted: string | null;

  constructor(
    readonly companyId: number,
    readonly list: ExpenseList,
  ) {
    const { filter, withSupplierInvoices, sort } = list;
    const search = filter.search?.trim() ?? '';
    const parameters: unknown[] = [companyId];
    const parameter = (value: unknown) => `$${parameters.push(value)}`;
    const conditions = [
      'c.company_id = $1',
      ...filterConditions(filter, parameter),
      ...(search === '' ? [] : [containsSql(`lower(${parameter(containing(search))})`)]),
    ];
    const isLookedUp = [...search].length >= GRAM_LENGTH;
    const term = isLookedUp ? parameter(search) : null;
    const { columns, tie } = withSupplierInvoices ? KEYS.all : KEYS.own;
    this.from = fromSql(withSupplierInvoices, term);
    this.where = [...conditions, ...(withSupplierInvoices && !isLookedUp ? ['not c.cancelled'] : [])].join(
      ' and ',
    );
    this.parameters = parameters;
    this.key = columns;
    this.sortColumns = [...SORT_COLUMNS[sort.by], ...tie];
    this.counted = conditions.length > 1 ? null : countedSql(withSupplierInvoices);
    this.name = JSON.stringify([this.from, this.where, parameters, sort]);
  }

  look(): Statement {
    const { from, where, key } = this;
    const ids = (source: string, order: string, id: string) =>
      `array_to_string(array(select ${id} from ${source} order by ${order} limit ${BEGINNING_MAX}), ',') as ids`;
    if (this.counted !== null) {
      const beginning = ids(`${from} c where ${where}`, this.orderBy(), key);
      return [
        `select ${CHANGE}, ${this.counted} as total, ${beginning} from ${LAST_CHANGE}`,
        this.parameters,
      ];
    }
    // Whatever matches is looked at once, to be counted and to be sorted.
    const columns = this.sortColumns.map((column, index) => `${column} as k${index}`).join(', ');
    const order = this.orderBy(this.sortColumns.map((_, index) => `k${index}`));
    return [
      `with matching as materialized (select ${key} as key, ${columns} from ${from} c where ${where})
       select ${CHANGE}, (select count(*) from matching) as total, ${ids('matching', order, 'key')}
         from ${LAST_CHANGE}`,
      this.parameters,
    ];
  }

  /** What is before the page is skipped, from the nearer end, in the indexes alone. */
  walk(total: number, page: PageRequest): Statement {
    const ids = `select ${this.key} as id from ${this.from} c where ${this.where}`;
    const orderBy = (fromEnd: boolean) => this.orderBy(this.sortColumns, fromEnd);
    return walkTo({ ids, parameters: this.parameters, orderBy }, total, page);
  }

  private orderBy(columns = this.sortColumns, fromEnd = false): string {
    const direction = this.list.sort.descending !== fromEnd ? 'desc' : 'asc';
    return columns.map((column) => `${column} ${direction}`).join(', ');
  }
}

function filterConditions(
  { vendorId, startDate, endDate }: ExpenseFilter,
  parameter: (value: unknown) => string,
): string[] {
  return [
    vendorId !== undefined && `c.entity_id = ${parameter(vendorId)}`,
    startDate !== undefined && `c.date >= ${parameter(startDate)}`,
    endDate !== undefined && `c.date <= ${parameter(endDate)}`,
  ].filter((condition) => condition !== false);
}

function containsSql(pattern: string): string {
  return `(c.title_key like ${pattern} or c.document_number_key like ${pattern} or c.notes_key like ${pattern})`;
}

/** What a term is in is looked up: every three characters in a row of it, somewhere, which is more than is searched for. */
function fromSql(withSupplierInvoices: boolean, term: string | null): string {
  if (term === null) return withSupplierInvoices ? ALL : 'expenses';
  const own = `search_expenses($1, lower(${term}))`;
  if (!withSupplierInvoices) return own;
  return `(select *, 0 as side from ${own} union all select *, 1 from search_supplier_invoices($1, lower(${term})))`;
}

function countedSql(withSupplierInvoices: boolean): string {
  return withSupplierInvoices
    ? 'coalesce(last.expenses + last.supplier_invoices, 0)'
    : 'coalesce(last.expenses, 0)';
}

const CHANGE_NOW = `${EPOCH} as epoch, coalesce((
  select change_number from cost_counts where company_id = $1 order by change_number desc limit 1), 0)
    as "changeNumber"`;

/** Looked up for each row: of a join the planner reads all vendors, where it takes them for few. */
const NAMES = `(select v.name from entities v where v.id = e.entity_id) as "vendorName",
  (select u.name from users u where u.id = e.user_id) as "userName"`;

const EXPENSE_ROW = `${SHOWN_COLUMNS}, 'EXPENSE' as source, ${NAMES}`;

/** An expense by company and id. */
export const EXPENSE_BY_ID: PreparedStatement = {
  name: 'expense-by-id',
  text: `select ${EXPENSE_ROW} from expenses e where e.company_id = $1 and e.id = $2`,
};

/** Expenses by company and ids, in any order. */
export const EXPENSES_BY_ID: PreparedStatement = {
  name: 'expenses-by-id',
  text: `
    select ${CHANGE_NOW}, ${EXPENSE_ROW} from expenses e where e.company_id = $1 and e.id = any ($2)`,
};

/**
 * The same with supplier invoices, by their ids. What those come to in shekels is told by the rate that counts now: they
 * have no rate of their own.
 */
export const COSTS_BY_ID: PreparedStatement = {
  name: 'costs-by-id',
  text: `
    select ${CHANGE_NOW}, costs.* from (
      select null::uuid as "documentVisibleId", ${EXPENSE_ROW}
        from expenses e where e.company_id = $1 and e.id = any ($2)
      union all
      select s.visible_id, s.id, s.entity_id, null, null, s.title, s.date, s.document_number, s.currency, s.total, s.tax,
             s.deductable_tax, false, s.notes,
             case when s.currency = 'ILS' then s.total when c.shekels <= ${MONEY_MAX} then c.shekels end, r.rate, r.unit,
             r.date, s.created_at, 'SUPPLIER_INVOICE', (select v.name from entities v where v.id = s.entity_id), null
        from supplier_invoices s
        left join lateral rate_on(s.company_id, s.currency, s.date) r on s.currency <> 'ILS'
        left join lateral (select ${shekelsSql('s.total')} as shekels) c on true
       where s.company_id = $1 and s.id = any ($3)
    ) costs`,
};

/** The last change where there are no rows to carry it. */
export const CHANGE_ALONE: PreparedStatement = { name: 'costs-change', text: `select ${CHANGE_NOW}` };
