import { type FoundRows, RememberedLists, Sql, type Statements } from '@counterfoil/database';
import type { Page, PageRequest } from '@counterfoil/pagination';
import { Injectable } from '@nestjs/common';
import {
  type ExpenseList,
  ExpenseReader,
  type ExpenseRow,
  type SupplierInvoiceCost,
} from '../../application/ports/expense.reader';
import {
  CHANGE_ALONE,
  CostListSql,
  COSTS_BY_ID,
  EXPENSE_BY_ID,
  EXPENSES_BY_ID,
  idsOf,
  keyOf,
} from './cost-list-sql';

type CostRow = ExpenseRow | SupplierInvoiceCost;

interface OfChange {
  readonly epoch: string;
  readonly changeNumber: number;
}

@Injectable()
export class PostgresExpenseReader extends ExpenseReader {
  private readonly lists: RememberedLists<CostListSql, CostRow>;

  constructor(private readonly sql: Sql) {
    super();
    this.lists = new RememberedLists(sql, find);
  }

  override list(companyId: number, list: ExpenseList, page: PageRequest): Promise<Page<CostRow>> {
    return this.lists.page(new CostListSql(companyId, list), page);
  }

  override async find(companyId: number, id: number): Promise<ExpenseRow | null> {
    const [found] = await this.sql.prepared<ExpenseRow>(EXPENSE_BY_ID, [companyId, id]);
    return found ?? null;
  }
}

async function find(
  statements: Statements,
  { companyId, list }: CostListSql,
  keys: readonly number[],
): Promise<FoundRows<CostRow>> {
  const [byId, others] = list.withSupplierInvoices
    ? [COSTS_BY_ID, [idsOf(keys, 'SUPPLIER_INVOICE')]]
    : [EXPENSES_BY_ID, []];
  const values = [companyId, idsOf(keys, 'EXPENSE'), ...others];
  const rows = await statements.prepared<CostRow & OfChange>(byId, values);
  const [first] = rows.length > 0 ? rows : await statements.prepared<OfChange>(CHANGE_ALONE, [companyId]);
  if (!first) throw new Error('the statement answers one row');
  return { rows: inOrderOf(keys, rows), epoch: first.epoch, changeNumber: first.changeNumber };
}

/** One that has gone since its key was read is left out: the number of the change tells that it has. */
function inOrderOf(keys: readonly number[], rows: readonly CostRow[]): CostRow[] {
  const byKey = new Map(rows.map((row) => [keyOf(row), row]));
  return keys.map((key) => byKey.get(key)).filter((row) => row !== undefined);
}
