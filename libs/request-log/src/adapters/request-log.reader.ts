import { Sql } from '@counterfoil/database';
import { ListSql, readPage } from '@counterfoil/lists';
import type { Page, PageRequest } from '@counterfoil/pagination';
import { Injectable } from '@nestjs/common';
import type { LoggedRequest, RequestFilter } from '../logged-request';
import { REQUESTS } from './request-log.list';

const NEWEST_FIRST = { by: 'time', descending: true } as const;

@Injectable()
export class RequestLogReader {
  constructor(private readonly sql: Sql) {}

  list(companyId: number, filter: RequestFilter, page: PageRequest): Promise<Page<LoggedRequest>> {
    return readPage(this.sql, new ListSql(REQUESTS, companyId, { filter, sort: NEWEST_FIRST }), page);
  }
}
