import { managerOf, Sql } from '@counterfoil/database';
import type { PlainDate, Transaction } from '@counterfoil/kernel';
import { ListSql, readPage } from '@counterfoil/lists';
import type { Page, PageRequest } from '@counterfoil/pagination';
import { Injectable } from '@nestjs/common';
import { IdentityReader } from '../../application/ports/identity.reader';
import type { ApiKey } from '../../domain/api-key';
import type { Company } from '../../domain/company';
import type { CompanyLimit, CompanyLimits } from '../../domain/company-limits';
import { API_KEYS } from './api-key.list';

const BY_ID = { by: 'id', descending: false } as const;

@Injectable()
export class PostgresIdentityReader extends IdentityReader {
  constructor(private readonly sql: Sql) {
    super();
  }

  override async company(companyId: number): Promise<Company | null> {
    const [company] = await this.sql.rows<Company>(
      `select id, name, tax_id as "taxId", default_payment_term_type as "defaultPaymentTermType",
              default_payment_term_days as "defaultPaymentTermDays",
              default_withholding_tax_rate as "defaultWithholdingTaxRate", default_vat_rate as "defaultVatRate",
              round_document_total as "roundDocumentTotal", books_closed_until as "booksClosedUntil"
         from companies where id = $1`,
      [companyId],
    );
    return company ?? null;
  }

  override async booksClosedUntil(tx: Transaction, companyId: number): Promise<PlainDate | null> {
    const [company] = await managerOf(tx).query<{ day: PlainDate | null }[]>(
      'select books_closed_until as day from companies where id = $1',
      [companyId],
    );
    return company?.day ?? null;
  }

  override async limits(companyId: number): Promise<CompanyLimits> {
    const set = await this.sql.rows<{ limit: CompanyLimit; value: number | null }>(
      'select name as "limit", value from company_limits where company_id = $1',
      [companyId],
    );
    return Object.fromEntries(set.map(({ limit, value }) => [limit, value]));
  }

  override apiKeys(companyId: number, page: PageRequest): Promise<Page<ApiKey>> {
    return readPage(this.sql, new ListSql(API_KEYS, companyId, { filter: {}, sort: BY_ID }), page);
  }
}
