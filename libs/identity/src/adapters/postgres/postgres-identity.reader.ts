import { Sql, within } from '@counterfoil/database';
import type { PlainDate, Transaction } from '@counterfoil/kernel';
import { ListSql, readPage, readWhole } from '@counterfoil/lists';
import type { Page, PageRequest } from '@counterfoil/pagination';
import { Injectable } from '@nestjs/common';
import { IdentityReader } from '../../application/ports/identity.reader';
import type { ApiKey } from '../../domain/api-key';
import type { Company } from '../../domain/company';
import type { CompanyLimits } from '../../domain/company-limits';
import { API_KEYS } from './api-key.list';
import { BOOKS_CLOSED_UNTIL, FIND_COMPANY, KEYS_IN_USE, LIMITS } from './identity.sql';

const BY_ID = { by: 'id', descending: false } as const;
const KEYS_AT_ONCE = 200;

@Injectable()
export class PostgresIdentityReader extends IdentityReader {
  constructor(private readonly sql: Sql) {
    super();
  }

  override company(companyId: number): Promise<Company | null> {
    return this.sql.first(FIND_COMPANY, { companyId });
  }

  override async booksClosedUntil(tx: Transaction, companyId: number): Promise<PlainDate | null> {
    const company = await within(tx).first(BOOKS_CLOSED_UNTIL, { companyId });
    return company?.day ?? null;
  }

  override async limits(companyId: number): Promise<CompanyLimits> {
    const set = await this.sql.rows(LIMITS, { companyId });
    return Object.fromEntries(set.map(({ limit, value }) => [limit, value]));
  }

  override apiKeys(companyId: number, page: PageRequest): Promise<Page<ApiKey>> {
    return readPage(this.sql, keysOf(companyId), page);
  }

  override allApiKeys(companyId: number): AsyncGenerator<readonly ApiKey[]> {
    return readWhole(this.sql, keysOf(companyId), KEYS_AT_ONCE);
  }

  override async keysInUse(apiKeyIds: readonly number[]): Promise<ReadonlySet<number>> {
    const keys = await this.sql.rows(KEYS_IN_USE, { apiKeyIds });
    return new Set(keys.map(({ id }) => id));
  }
}

function keysOf(companyId: number) {
  return new ListSql(API_KEYS, companyId, { filter: {}, sort: BY_ID });
}
