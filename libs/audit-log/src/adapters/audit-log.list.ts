import type { ListDefinition } from '@counterfoil/lists';
import type { AuditFilter } from '../audit-entry';

/** The changes of a company, by time. Entries of one time are in the order of the log. */
export const AUDIT_LOG: ListDefinition<AuditFilter, 'time'> = {
  name: 'audit entries',
  from: 'audit_log a',
  id: 'a.position',
  scope: 'a.company_id = $1',
  filters: {
    entity: 'a.entity = ?',
    id: 'a.entity_id = ?',
    actor: 'a.actor = ?',
    action: 'a.action = ?',
    from: 'a.at >= ?',
    to: 'a.at <= ?',
    requestId: 'a.request_id = ?',
  },
  sorts: { time: ['a.at', 'a.position'] },
  rows: {
    columns: `a.position as id, a.position, a.at, a.actor, a.role, a.request_id as "requestId", a.action, a.entity,
      a.entity_id as "entityId", a.before, a.after, a.hash`,
    joins: 'left join audit_log a on a.company_id = $1 and a.position = page.id',
  },
};
