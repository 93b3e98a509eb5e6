import { Sql } from '@counterfoil/database';
import { AppError } from '@counterfoil/kernel';
import { ListSql, readPage } from '@counterfoil/lists';
import type { Page, PageRequest } from '@counterfoil/pagination';
import { Injectable } from '@nestjs/common';
import { EndpointReader } from '../../application/ports/endpoint.reader';
import type { WebhookEndpoint } from '../../domain/endpoint';
import { ENDPOINT_COLUMNS, ENDPOINTS } from './endpoint.list';

const OLDEST = { by: 'oldest', descending: false } as const;

@Injectable()
export class PostgresEndpointReader extends EndpointReader {
  constructor(private readonly sql: Sql) {
    super();
  }

  override list(companyId: number, page: PageRequest): Promise<Page<WebhookEndpoint>> {
    return readPage(this.sql, new ListSql(ENDPOINTS, companyId, { filter: {}, sort: OLDEST }), page);
  }

  override async find(companyId: number, endpointId: string): Promise<WebhookEndpoint> {
    const [found] = await this.sql.rows<WebhookEndpoint>(
      `select ${ENDPOINT_COLUMNS} from webhook_endpoints e
        where e.id = $2 and e.company_id = $1 and e.deleted_at is null`,
      [companyId, endpointId],
    );
    if (!found) throw new AppError('NOT_FOUND', 'no such webhook endpoint');
    return found;
  }
}
