import { createHash } from 'node:crypto';
import { advisoryLock } from '@counterfoil/database';
import type { IdempotencyKey } from '@counterfoil/kernel';

/**
 * The advisory locks of a running call: one that only one call with the key can hold, and one that tells its operation
 * and body from another's. Each is a number of 64 bits; the second is given as two halves, in the lock space where
 * PostgreSQL keeps pairs.
 */
export interface KeyLocks {
  readonly key: string;
  readonly call: readonly [high: number, low: number];
}

export function locksOf(companyId: number, { key, fingerprint }: IdempotencyKey): KeyLocks {
  const digest = createHash('sha256').update(`idempotency-key\n${companyId}\n${key}`).digest();
  return {
    key: digest.readBigInt64BE(0).toString(),
    call: [fingerprint.readInt32BE(0), fingerprint.readInt32BE(4)],
  };
}

/**
 * Takes both locks until the transaction ends; false when another call holds the key's. The call's lock is shared, since
 * calls with other keys may ask for the very same. It comes first, so that every holder of a key is seen with it.
 *
 * Parameters: the lock of the key, the two halves of the call's.
 */
export const TRY_LOCKS_SQL = `
  select case when ${advisoryLock('pg_try_advisory_xact_lock_shared', 'idempotent call', '$2::int, $3::int')}
              then ${advisoryLock('pg_try_advisory_xact_lock', 'idempotency key', '$1::bigint')} else false end as claimed`;

/**
 * Whether the holder of the key's lock holds the lock of another call; no row when nobody holds it. `pg_locks` shows
 * both, of one moment. A lock of 64 bits stands there as its two halves, with 1 for its kind; a pair with 2.
 */
export const RUNNING_CALL_SQL = `
  select (c.classid::bigint, c.objid::bigint) <> ($2::bigint, $3::bigint) as other
    from pg_locks k join pg_locks c on c.pid = k.pid and c.locktype = 'advisory' and c.database = k.database
   where k.locktype = 'advisory' and k.granted and k.objsubid = 1
     and k.database = (select oid from pg_database where datname = current_database())
     and (k.classid::bigint << 32 | k.objid::bigint) = $1::bigint
     and c.objsubid = 2`;

/** As `pg_locks` shows a half: without a sign. */
export function unsigned(half: number): number {
  return half >>> 0;
}
