import { Sql } from '@counterfoil/database';
import { AppError } from '@counterfoil/kernel';
import { ListSql, readPage } from '@counterfoil/lists';
import type { Page, PageRequest } from '@counterfoil/pagination';
import { Injectable } from '@nestjs/common';
import { EndpointReader, type EndpointView } from '../../application/ports/endpoint.reader';
import { ENDPOINTS } from './endpoint.list';
import { COUNT_PAUSED, FIND_ENDPOINT } from './endpoint.sql';

const OLDEST = { by: 'oldest', descending: false } as const;

@Injectable()
export class PostgresEndpointReader extends EndpointReader {
  constructor(private readonly sql: Sql) {
    super();
  }

  override list(companyId: number, page: PageRequest): Promise<Page<EndpointView>> {
    return readPage(this.sql, new ListSql(ENDPOINTS, companyId, { filter: {}, sort: OLDEST }), page);
  }

  override async find(companyId: number, endpointId: string): Promise<EndpointView> {
    const found = await this.sql.first(FIND_ENDPOINT, { companyId, endpointId });
    if (!found) throw new AppError('NOT_FOUND', 'no such webhook endpoint');
    return found;
  }

  override async countPaused(): Promise<number> {
    return (await this.sql.only(COUNT_PAUSED, {})).count;
  }
}
