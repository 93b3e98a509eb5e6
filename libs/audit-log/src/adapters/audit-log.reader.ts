import { Sql } from '@counterfoil/database';
import { ListSql, readPage } from '@counterfoil/lists';
import type { Page, PageRequest } from '@counterfoil/pagination';
import { Injectable } from '@nestjs/common';
import type { AuditEntry, AuditFilter } from '../audit-entry';
import { AUDIT_LOG } from './audit-log.list';

const NEWEST_FIRST = { by: 'time', descending: true } as const;

@Injectable()
export class AuditLogReader {
  constructor(private readonly sql: Sql) {}

  list(companyId: number, filter: AuditFilter, page: PageRequest): Promise<Page<AuditEntry>> {
    const list = new ListSql(AUDIT_LOG, companyId, { filter, sort: NEWEST_FIRST });
    return readPage<AuditEntry & { readonly id: number }>(this.sql, list, page);
  }
}
