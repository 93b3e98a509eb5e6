import type { ListDefinition } from '@counterfoil/lists';

/** API keys that are not revoked. Those that have expired are among them. */
export const API_KEYS: ListDefinition<object, 'id'> = {
  name: 'API keys',
  from: 'api_keys k',
  id: 'k.id',
  scope: 'k.company_id = $1 and k.revoked_at is null',
  filters: {},
  sorts: { id: ['k.id'] },
  rows: {
    columns: `k.id, k.name, k.role, k.user_id as "userId", u.name as "userName", k.created_at as "createdAt",
      k.expires_at as "expiresAt", k.addresses,
      k.last_used_at as "lastUsedAt"`,
    joins: 'left join api_keys k on k.id = page.id left join users u on u.id = k.user_id',
  },
};
