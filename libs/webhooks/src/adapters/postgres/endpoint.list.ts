import type { ListDefinition } from '@counterfoil/lists';
import { DROPPED_SHOWN_MAX } from '../../application/ports/endpoint.reader';

/** The count reads the index `webhook_deliveries_dropped`. */
export const ENDPOINT_COLUMNS = `e.id, e.url, e.events, e.created_at as "createdAt", e.paused_at as "pausedAt",
  (select count(*)::integer from (
     select from webhook_deliveries d
      where d.endpoint_id = e.id and d.state = 'dropped' and d.created_at > now() - interval '1 day'
      limit ${DROPPED_SHOWN_MAX}) dropped) as "droppedInLastDay"`;

export const ENDPOINTS: ListDefinition<object, 'oldest'> = {
  name: 'endpoints',
  from: 'webhook_endpoints e',
  id: 'e.id',
  scope: 'e.company_id = $1 and e.deleted_at is null',
  filters: {},
  sorts: { oldest: ['e.created_at', 'e.id'] },
  rows: { columns: ENDPOINT_COLUMNS, joins: 'left join webhook_endpoints e on e.id = page.id' },
};
