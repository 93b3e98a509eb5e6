import { statement } from '@counterfoil/database';
import type { EventType } from './event-definition';
import type { RelayedEvent } from './outbox';

export const APPEND = statement<{
  readonly companyId: number;
  readonly createdAt: Date;
  readonly relayedAt: Date | null;
  readonly events: readonly { readonly id: string; readonly type: EventType; readonly body: string }[];
}>(
  'outbox: append',
  `insert into outbox_events (id, company_id, type, body, created_at, relayed_at)
   select id, :companyId, type, body, :createdAt, :relayedAt
     from unnest(:events.id::text[], :events.type::text[], :events.body::text[]) as e (id, type, body)`,
  { prepared: true },
);

/** `materialized` guarantees the limit with any query plan. */
export const TAKE_UNRELAYED = statement<{ readonly limit: number; readonly now: Date }, RelayedEvent>(
  'outbox: take',
  `with taken as materialized (
     select sequence from outbox_events where relayed_at is null order by sequence limit :limit for update skip locked
   )
   update outbox_events e set relayed_at = :now from taken where e.sequence = taken.sequence
   returning e.id, e.company_id as "companyId", e.type`,
);

export const FIND_BODIES = statement<
  { readonly ids: readonly string[] },
  { readonly id: string; readonly body: string }
>('outbox: bodies', 'select id, body from outbox_events where id = any (:ids)', { prepared: true });

export const NEXT_EVENTS = statement<
  { readonly after: number; readonly limit: number },
  {
    readonly sequence: number;
    readonly id: string;
    readonly createdAt: Date;
    readonly relayed: boolean;
  }
>(
  'outbox: next',
  `select sequence, id, created_at as "createdAt", relayed_at is not null as relayed
     from outbox_events where sequence > :after order by sequence limit :limit`,
);

export const REMOVE = statement<{ readonly sequences: readonly number[] }>(
  'outbox: remove',
  'delete from outbox_events where sequence = any (:sequences)',
);
