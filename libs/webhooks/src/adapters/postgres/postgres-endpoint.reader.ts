import { Sql } from '@counterfoil/database';
import { AppError } from '@counterfoil/kernel';
import { type Page, pageOf, type PageRequest } from '@counterfoil/pagination';
import { Injectable } from '@nestjs/common';
import { EndpointReader } from '../../application/ports/endpoint.reader';
import type { WebhookEndpoint } from '../../domain/endpoint';

const COLUMNS = 'id, url, events, created_at as "createdAt", paused_at as "pausedAt"';

@Injectable()
export class PostgresEndpointReader extends EndpointReader {
  constructor(private readonly sql: Sql) {
    super();
  }

  override async list(companyId: number, page: PageRequest): Promise<Page<WebhookEndpoint>> {
    const [rows, [count]] = await Promise.all([
      this.sql.rows<WebhookEndpoint>(
        `select ${COLUMNS} from webhook_endpoints
          where company_id = $1 and deleted_at is null order by created_at, id limit $2 offset $3`,
        [companyId, page.limit, page.offset],
      ),
      this.sql.rows<{ total: number }>(
        'select count(*) as total from webhook_endpoints where company_id = $1 and deleted_at is null',
        [companyId],
      ),
    ]);
    return pageOf(rows, count?.total ?? 0, page);
  }

  override async find(companyId: number, endpointId: string): Promise<WebhookEndpoint> {
    const [found] = await this.sql.rows<WebhookEndpoint>(
      `select ${COLUMNS} from webhook_endpoints where id = $2 and company_id = $1 and deleted_at is null`,
      [companyId, endpointId],
    );
    if (!found) throw new AppError('NOT_FOUND', 'no such webhook endpoint');
    return found;
  }
}
