import { Sql } from '@counterfoil/database';
import { ListSql, readWhole } from '@counterfoil/lists';
import { Injectable } from '@nestjs/common';
import {
  type SupplierInvoiceFilter,
  type SupplierInvoiceKey,
  SupplierInvoiceReader,
  type SupplierInvoiceRow,
} from '../../application/ports/supplier-invoice.reader';
import { SUPPLIER_INVOICES } from './supplier-invoice.list';
import { FIND } from './supplier-invoice.sql';

const NEWEST = { by: 'date', descending: true } as const;

@Injectable()
export class PostgresSupplierInvoiceReader extends SupplierInvoiceReader {
  constructor(private readonly sql: Sql) {
    super();
  }

  override list(
    companyId: number,
    filter: SupplierInvoiceFilter,
  ): AsyncGenerator<readonly SupplierInvoiceRow[]> {
    return readWhole(this.sql, new ListSql(SUPPLIER_INVOICES, companyId, { filter, sort: NEWEST }));
  }

  override find(companyId: number, key: SupplierInvoiceKey): Promise<SupplierInvoiceRow | null> {
    return 'id' in key
      ? this.sql.first(FIND.byId, { companyId, ...key })
      : this.sql.first(FIND.byVisibleId, { companyId, ...key });
  }
}
