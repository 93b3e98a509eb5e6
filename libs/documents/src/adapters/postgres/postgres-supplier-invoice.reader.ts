import { inBatches, Sql } from '@counterfoil/database';
import { Injectable } from '@nestjs/common';
import {
  type SupplierInvoiceFilter,
  type SupplierInvoiceKey,
  SupplierInvoiceReader,
  type SupplierInvoiceRow,
} from '../../application/ports/supplier-invoice.reader';
import { FIND, SELECT_ROWS } from './supplier-invoice.sql';

/** Rows that are read at once. */
const BATCH = 1_000;

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
      `${SELECT_ROWS} where ${conditions.join(' and ')} order by s.date desc, s.id desc limit ${BATCH}`,
      parameters,
    );
  }

  override find(companyId: number, key: SupplierInvoiceKey): Promise<SupplierInvoiceRow | null> {
    return 'id' in key
      ? this.sql.first(FIND.byId, { companyId, ...key })
      : this.sql.first(FIND.byVisibleId, { companyId, ...key });
  }
}
