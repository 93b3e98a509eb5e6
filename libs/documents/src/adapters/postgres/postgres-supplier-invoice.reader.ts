import { inBatches, Sql } from '@counterfoil/database';
import { Injectable } from '@nestjs/common';
import {
  type SupplierInvoiceFilter,
  type SupplierInvoiceKey,
  SupplierInvoiceReader,
  type SupplierInvoiceRow,
} from '../../application/ports/supplier-invoice.reader';
import { SUPPLIER_INVOICE_COLUMNS } from './supplier-invoice-columns';

/** Rows that are read at once. */
const BATCH = 1_000;

const KEY_COLUMNS = { id: 's.id', visibleId: 's.visible_id' } as const;

const SELECT = `
  select ${SUPPLIER_INVOICE_COLUMNS}, e.visible_id as "vendorVisibleId", e.name as "vendorName"
    from supplier_invoices s join entities e on e.id = s.entity_id`;

@Injectable()
export class PostgresSupplierInvoiceReader extends SupplierInvoiceReader {
  constructor(private readonly sql: Sql) {
    super();
  }

  override list(
    companyId: number,
    filter: SupplierInvoiceFilter,
  ): AsyncGenerator<readonly SupplierInvoiceRow[]> {
    return inBatches(BATCH, (last: SupplierInvoiceRow | undefined) => this.batch(companyId, filter, last));
  }

  private batch(
    companyId: number,
    { startDate, endDate, vendorId }: SupplierInvoiceFilter,
    last: SupplierInvoiceRow | undefined,
  ): Promise<SupplierInvoiceRow[]> {
    const parameters: unknown[] = [companyId];
    const parameter = (value: unknown) => `$${parameters.push(value)}`;
    const conditions = [
      's.company_id = $1',
      startDate !== undefined && `s.date >= ${parameter(startDate)}`,
      endDate !== undefined && `s.date <= ${parameter(endDate)}`,
      vendorId !== undefined && `s.entity_id = ${parameter(vendorId)}`,
      last && `(s.date, s.id) < (${parameter(last.date)}::date, ${parameter(last.id)}::bigint)`,
    ].filter(Boolean);
    return this.sql.rows<SupplierInvoiceRow>(
      `${SELECT} where ${conditions.join(' and ')} order by s.date desc, s.id desc limit ${BATCH}`,
      parameters,
    );
  }

  override async find(companyId: number, key: SupplierInvoiceKey): Promise<SupplierInvoiceRow | null> {
    const [[column, value]] = Object.entries(key) as [[keyof typeof KEY_COLUMNS, unknown]];
    const [found] = await this.sql.rows<SupplierInvoiceRow>(
      `${SELECT} where s.company_id = $1 and ${KEY_COLUMNS[column]} = $2`,
      [companyId, value],
    );
    return found ?? null;
  }
}
