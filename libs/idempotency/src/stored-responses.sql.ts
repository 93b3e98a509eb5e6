import { advisoryLock, statement } from '@counterfoil/database';
import type { IdempotencyKey } from '@counterfoil/kernel';
import type { KeyLocks } from './key-locks';

interface OfKey {
  readonly companyId: number;
  readonly key: IdempotencyKey;
}

/** The state of a call with a key. */
export interface StoredResponse {
  readonly fingerprint: Buffer;
  /** The body of the first response, byte for byte; null of a call that has begun, and has none yet. */
  readonly response: string | null;
  /** Of a call that was begun: what it wrote. */
  readonly resourceId: number | null;
}

/** Every call with a key asks this first. */
export const FIND = statement<{ readonly companyId: number; readonly key: string }, StoredResponse>(
  'idempotency: find',
  `select fingerprint, response, resource_id as "resourceId"
     from idempotency_keys where company_id = :companyId and key = :key`,
  { prepared: true },
);

/**
 * Takes both locks until the transaction ends. `taken` where another call runs under the key, or has ended with a
 * response. The call's lock is shared, since calls with other keys may ask for the very same. It comes first, so that
 * every holder of a key is seen with it.
 */
export const CLAIM = statement<OfKey & { readonly locks: KeyLocks }, { readonly taken: boolean }>(
  'idempotency: claim',
  `with locks as materialized (
     select case when ${advisoryLock('pg_try_advisory_xact_lock_shared', 'idempotent call', ':locks.high::int, :locks.low::int')}
                 then ${advisoryLock('pg_try_advisory_xact_lock', 'idempotency key', ':locks.key::bigint')} else false end as claimed)
   select not claimed or exists (select from idempotency_keys where company_id = :companyId and key = :key.key) as taken
     from locks`,
  { prepared: true },
);

/** Inserts nothing where a response is stored. */
export const STORE = statement<OfKey & { readonly response: string }>(
  'idempotency: store',
  `insert into idempotency_keys (company_id, key, fingerprint, response, created_at)
   values (:companyId, :key.key, :key.fingerprint, :response, clock_timestamp())
   on conflict do nothing`,
  { prepared: true },
);

/** Of a call that has no response yet, and what it wrote. */
export const BEGIN = statement<OfKey & { readonly resourceId: number }>(
  'idempotency: begin',
  `insert into idempotency_keys (company_id, key, fingerprint, resource_id, created_at)
   values (:companyId, :key.key, :key.fingerprint, :resourceId, clock_timestamp())
   on conflict do nothing`,
  { prepared: true },
);

/** Stores the response of a call that was begun, where there is none. */
export const COMPLETE = statement<OfKey & { readonly response: string }, { readonly response: string }>(
  'idempotency: complete',
  `update idempotency_keys set response = coalesce(response, :response)
    where company_id = :companyId and key = :key.key returning response`,
  { prepared: true, present: ['response'] },
);

/**
 * Whether the holder of the key's lock holds the lock of another call; no row when nobody holds it. `pg_locks` shows
 * both, of one moment. A lock of 64 bits stands there as its two halves, with 1 for its kind; a pair with 2. Halves
 * stand there without their sign.
 */
export const FIND_RUNNING = statement<KeyLocks, { readonly other: boolean }>(
  'idempotency: running',
  `select (c.classid::bigint, c.objid::bigint) <> (:high::bigint & 4294967295, :low::bigint & 4294967295) as other
     from pg_locks k join pg_locks c on c.pid = k.pid and c.locktype = 'advisory' and c.database = k.database
    where k.locktype = 'advisory' and k.granted and k.objsubid = 1
      and k.database = (select oid from pg_database where datname = current_database())
      and (k.classid::bigint << 32 | k.objid::bigint) = :key::bigint
      and c.objsubid = 2`,
);

export const PURGE = statement<{ readonly before: Date; readonly batch: number }, { readonly one: number }>(
  'idempotency: purge',
  `delete from idempotency_keys
    where (company_id, key) in
      (select company_id, key from idempotency_keys where created_at < :before order by created_at limit :batch)
    returning 1 as one`,
);

/**
 * Stores a response inside a statement of another lib, which then needs no round trip of its own for it. Parameters:
 * `response`, null where nothing is inserted, and the company and time that are given.
 */
export const insertResponseSql = (companyId: string, createdAt: string): string => `
  insert into idempotency_keys (company_id, key, fingerprint, response, created_at)
  select ${companyId}, :response.key.key::text, :response.key.fingerprint::bytea, :response.text::text, ${createdAt}
   where :response.key.key::text is not null`;
