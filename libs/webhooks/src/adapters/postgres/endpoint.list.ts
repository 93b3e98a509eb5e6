import type { ListDefinition } from '@counterfoil/lists';

export const ENDPOINT_COLUMNS =
  'e.id, e.url, e.events, e.created_at as "createdAt", e.paused_at as "pausedAt"';

export const ENDPOINTS: ListDefinition<object, 'oldest'> = {
  name: 'endpoints',
  from: 'webhook_endpoints e',
  id: 'e.id',
  scope: 'e.company_id = $1 and e.deleted_at is null',
  filters: {},
  sorts: { oldest: ['e.created_at', 'e.id'] },
  rows: { columns: ENDPOINT_COLUMNS, joins: 'left join webhook_endpoints e on e.id = page.id' },
};
