import { EPOCH } from './epochs.sql';
import { statement } from './sql-statement';

/**
 * A position in the write-ahead log behind everything that was committed. Without `synchronous_commit`, a commit is
 * visible before it is written to the file of the log.
 */
export const READ_POSITION = statement<object, { readonly position: string; readonly epoch: string }>(
  'replica: read position of the primary',
  `select case current_setting('synchronous_commit')
            when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_lsn() end::text as position,
          ${EPOCH} as epoch`,
);

/**
 * Whether this server is a standby of the server with this epoch, and has applied the log up to the position. After a
 * failover, positions of different servers cannot be compared.
 */
export const HAS_REACHED = statement<
  { readonly position: string; readonly epoch: string },
  { readonly hasReached: boolean }
>(
  'replica: has reached',
  `select coalesce(pg_is_in_recovery() and ${EPOCH} = :epoch
                   and pg_last_wal_replay_lsn() >= :position::pg_lsn, false) as "hasReached"`,
);
