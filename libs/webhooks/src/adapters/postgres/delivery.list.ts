import type { ListDefinition } from '@counterfoil/lists';
import {
  ATTEMPTS_SHOWN_MAX,
  type AttemptView,
  type DeliveryFilter,
  type DeliveryView,
} from '../../application/ports/delivery.reader';

/** The attempt fields are null if the delivery has no attempt. */
export type ShownRow = Omit<DeliveryView, 'attempts'> & (AttemptView | { readonly attempt: null });

export const DELIVERY_COLUMNS = `d.id, d.event_id as "eventId", d.event_type as "eventType", d.state,
  d.created_at as "createdAt", d.next_attempt_at as "nextAttemptAt", a.*`;

/** Read in the same statement as the delivery, so that its state and its attempts are consistent. */
export const ATTEMPTS = `left join lateral (
  select attempt, started_at as "startedAt", duration_ms as "durationMs", status, failure, response
    from webhook_attempts where delivery_id = d.id order by attempt desc limit ${ATTEMPTS_SHOWN_MAX}) as a on true`;

/** The deliveries to an endpoint, with one row for each attempt. */
export const DELIVERIES: ListDefinition<DeliveryFilter, 'newest'> = {
  name: 'deliveries',
  from: 'webhook_deliveries d',
  id: 'd.id',
  scope: 'd.endpoint_id = $1',
  filters: {
    state: 'd.state = ?',
    eventType: 'd.event_type = ?',
    eventId: 'd.event_id = ?',
    since: 'd.created_at >= ?',
    until: 'd.created_at <= ?',
  },
  total: ({ isAll }) =>
    isAll
      ? '(select coalesce(sum(deliveries), 0)::bigint from webhook_delivery_counts where endpoint_id = $1)'
      : null,
  sorts: { newest: ['d.created_at', 'd.id'] },
  rows: {
    columns: DELIVERY_COLUMNS,
    joins: `left join webhook_deliveries d on d.id = page.id ${ATTEMPTS}`,
    within: 'a.attempt',
  },
};
