import { managerOf, Sql } from '@counterfoil/database';
import type { PlainDate, Transaction } from '@counterfoil/kernel';
import { type Page, pageOf, type PageRequest } from '@counterfoil/pagination';
import { Injectable } from '@nestjs/common';
import { IdentityReader } from '../../application/ports/identity.reader';
import type { ApiKey } from '../../domain/api-key';
import type { Company } from '../../domain/company';
import type { CompanyLimit, CompanyLimits } from '../../domain/company-limits';

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

  override async apiKeys(companyId: number, page: PageRequest): Promise<Page<ApiKey>> {
    const [keys, [count]] = await Promise.all([
      this.sql.rows<ApiKey>(
        `select k.id, k.role, k.user_id as "userId", u.name as "userName", k.created_at as "createdAt",
                k.last_used_at as "lastUsedAt"
           from api_keys k join users u on u.id = k.user_id
          where k.company_id = $1 and k.revoked_at is null
          order by k.id limit $2 offset $3`,
        [companyId, page.limit, page.offset],
      ),
      this.sql.rows<{ total: number }>(
        'select count(*) as total from api_keys where company_id = $1 and revoked_at is null',
        [companyId],
      ),
    ]);
    return pageOf(keys, count?.total ?? 0, page);
  }
}
