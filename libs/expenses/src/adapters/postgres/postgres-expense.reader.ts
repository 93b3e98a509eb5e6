import { Sql } from '@counterfoil/database';
import { CachedLists, ListSql } from '@counterfoil/lists';
import type { Page, PageRequest } from '@counterfoil/pagination';
import { Injectable } from '@nestjs/common';
import {
  type ExpenseList,
  ExpenseReader,
  type ExpenseRow,
  type SupplierInvoiceCost,
} from '../../application/ports/expense.reader';
import { COSTS, EXPENSE_BY_ID, EXPENSES } from './expense.list';

@Injectable()
export class PostgresExpenseReader extends ExpenseReader {
  private readonly lists: CachedLists;

  constructor(private readonly sql: Sql) {
    super();
    this.lists = new CachedLists(sql);
  }

  override list(
    companyId: number,
    list: ExpenseList,
    page: PageRequest,
  ): Promise<Page<ExpenseRow | SupplierInvoiceCost>> {
    return list.withSupplierInvoices
      ? this.lists.page(new ListSql(COSTS, companyId, list), page)
      : this.lists.page(new ListSql(EXPENSES, companyId, list), page);
  }

  override async find(companyId: number, id: number): Promise<ExpenseRow | null> {
    const [found] = await this.sql.prepared<ExpenseRow>(EXPENSE_BY_ID, [companyId, id]);
    return found ?? null;
  }
}
