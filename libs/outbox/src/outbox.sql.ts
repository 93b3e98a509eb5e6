import { backlogOf, EPOCH, statement } from '@counterfoil/database';
import type { EventType } from './event-definition';
import type { Gap } from './event-position';
import { RELAYED_MAX, type RelayedEvent } from './outbox';

/** The condition assigns the id of the transaction before the first sequence. `EventLog` relies on this order. */
export const APPEND = statement<{
  readonly companyId: number;
  readonly createdAt: Date;
  readonly relayedAt: Date | null;
  readonly trace: string | null;
  readonly events: readonly { readonly id: string; readonly type: EventType; readonly body: string }[];
}>(
  'outbox: append',
  `insert into outbox_events (id, company_id, type, body, created_at, relayed_at, trace)
   select id, :companyId, type, body, :createdAt, :relayedAt, :trace
     from unnest(:events.id::text[], :events.type::text[], :events.body::text[]) as e (id, type, body)
    where pg_current_xact_id() is not null`,
  { prepared: true },
);

/**
 * `materialized` guarantees the limit with any query plan. The limit is a part of the text, and the array keeps the
 * planner from joining with the whole table, because a session keeps the plan while the table grows.
 */
export const TAKE_UNRELAYED = statement<{ readonly now: Date }, RelayedEvent>(
  'outbox: take',
  `with taken as materialized (
     select sequence from outbox_events where relayed_at is null
      order by sequence limit ${RELAYED_MAX} for update skip locked
   )
   update outbox_events e set relayed_at = :now where e.sequence = any (array(select sequence from taken))
   returning e.id, e.company_id as "companyId", e.type, e.trace`,
  { prepared: true },
);

export const BACKLOG = backlogOf<object>({
  table: 'outbox_events',
  where: 'relayed_at is null',
  due: 'created_at',
  orderBy: 'sequence',
});

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

export interface LogRow {
  readonly sequence: number | null;
  readonly companyId: number | null;
  readonly id: string | null;
  readonly type: EventType | null;
  readonly body: string | null;
  readonly oldestRunning: number;
  readonly epoch: string;
  readonly readAt: Date;
}

/** Returns one row without an event if there is none. */
export const READ_LOG = statement<
  {
    readonly after: number;
    readonly gaps: readonly Gap[];
    readonly companyIds: readonly number[];
    readonly limit: number;
  },
  LogRow
>(
  'outbox: read log',
  `with late as (
     select e.* from unnest(:gaps.first::bigint[], :gaps.last::bigint[]) as gap (first, last)
       join outbox_events e on e.sequence between gap.first and least(gap.last, :after)
      order by e.sequence limit :limit
   ), next as (
     select * from outbox_events where sequence > :after order by sequence limit :limit
   ), found as (
     select * from late union all select * from next
   )
   select e.sequence, e.company_id as "companyId", e.id, e.type,
          case when e.company_id = any (:companyIds::bigint[]) then e.body end as body,
          pg_snapshot_xmin(pg_current_snapshot())::text::bigint as "oldestRunning",
          ${EPOCH} as epoch, now() as "readAt"
     from (select 1) as once left join found e on true
    order by e.sequence`,
);

/** The last sequence that was assigned, whether its event is committed or not. */
export const FIND_LAST_SEQUENCE = statement<object, { readonly last: number }>(
  'outbox: last sequence',
  `select coalesce(pg_sequence_last_value(pg_get_serial_sequence('outbox_events', 'sequence')::regclass), 0) as last`,
);

/** Assigns an id to a transaction of its own, and so returns one above all that were assigned before. */
export const NEXT_TRANSACTION = statement<object, { readonly id: number }>(
  'outbox: next transaction',
  'select pg_current_xact_id()::text::bigint as id',
);
