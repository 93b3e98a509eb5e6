import type { ListDefinition } from '@counterfoil/lists';
import type { RequestFilter } from '../logged-request';

export const REQUESTS: ListDefinition<RequestFilter, 'time'> = {
  name: 'requests',
  from: 'request_log r',
  id: 'r.id',
  scope: 'r.company_id = $1',
  filters: {
    requestId: 'r.request_id = ?',
    route: 'r.route = ?',
    status: 'r.status = ?',
    from: 'r.at >= ?',
    to: 'r.at <= ?',
  },
  sorts: { time: ['r.at', 'r.id'] },
  rows: {
    columns: `r.id, r.api_key_id as "apiKeyId", r.at, r.method, r.route, r.ids, r.status, r.error_code as "errorCode",
      r.duration_ms as "durationMs", r.request_id as "requestId"`,
    joins: 'left join request_log r on r.id = page.id',
  },
};
