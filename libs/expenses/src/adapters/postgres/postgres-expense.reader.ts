import { Sql } from '@counterfoil/database';
import { CachedListReader, ListSql } from '@counterfoil/lists';
import type { Page, PageRequest } from '@counterfoil/pagination';
import { Injectable } from '@nestjs/common';
import {
  type ExpenseList,
  ExpenseReader,
  type ExpenseRow,
  type ListedSupplierInvoice,
} from '../../application/ports/expense.reader';
import { EXPENSES_AND_INVOICES, EXPENSES } from './expense.list';
import { FIND } from './expense.sql';

@Injectable()
export class PostgresExpenseReader extends ExpenseReader {
  private readonly lists: CachedListReader;

  constructor(private readonly sql: Sql) {
    super();
    this.lists = new CachedListReader(sql);
  }

  override list(
    companyId: number,
    list: ExpenseList,
    page: PageRequest,
  ): Promise<Page<ExpenseRow | ListedSupplierInvoice>> {
    return list.withSupplierInvoices
      ? this.lists.page(new ListSql(EXPENSES_AND_INVOICES, companyId, list), page)
      : this.lists.page(new ListSql(EXPENSES, companyId, list), page);
  }

  override find(companyId: number, id: number): Promise<ExpenseRow | null> {
    return this.sql.first(FIND, { companyId, id });
  }
}
