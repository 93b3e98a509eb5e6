import { Sql, type Statements } from '@counterfoil/database';
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
    // Requests are committed before they are written to the write-ahead log, so a replica cannot know whether it has them.
    const primary = { read: <T>(work: (statements: Statements) => Promise<T>) => work(this.sql) };
    return readPage(primary, new ListSql(REQUESTS, companyId, { filter, sort: NEWEST_FIRST }), page);
  }
}
