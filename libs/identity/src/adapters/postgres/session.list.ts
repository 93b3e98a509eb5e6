import type { ListDefinition } from '@counterfoil/lists';

export interface SessionFilter {
  readonly apiKeyId?: number;
}

/** The sessions that have neither ended nor expired, also of keys that may not be used any more. */
export const SESSIONS: ListDefinition<SessionFilter, 'id'> = {
  name: 'sessions',
  from: 'sessions s',
  id: 's.id',
  scope: 's.company_id = $1 and s.expires_at > now()',
  filters: { apiKeyId: 's.api_key_id = ?' },
  sorts: { id: ['s.id'] },
  rows: {
    columns: `s.id, s.api_key_id as "apiKeyId", k.name as "keyName", k.role, k.user_id as "userId",
      u.name as "userName", s.user_agent as "userAgent", s.address, s.created_at as "createdAt",
      s.expires_at as "expiresAt"`,
    joins: `left join sessions s on s.id = page.id left join api_keys k on k.id = s.api_key_id
      left join users u on u.id = k.user_id`,
  },
};
