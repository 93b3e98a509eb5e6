import { createHash } from 'node:crypto';
import { advisoryLock, statement } from '@counterfoil/database';
import type { IdempotencyKey } from '@counterfoil/kernel';

interface OfKey {
  readonly companyId: number;
  readonly key: IdempotencyKey;
}

/**
 * The advisory locks of a running call: an exclusive one of its key, and a shared one that identifies its
 * operation and body. Each is a number of 64 bits. The second is split into two halves, because PostgreSQL
 * has a separate lock space for pairs.
 */
export interface KeyLocks {
  readonly key: bigint;
  readonly high: number;
  readonly low: number;
}

export function locksOf(companyId: number, { key, fingerprint }: IdempotencyKey): KeyLocks {
  const digest = createHash('sha256').update(`idempotency-key\n${companyId}\n${key}`).digest();
  return {
    key: digest.readBigInt64BE(0),
    high: fingerprint.readInt32BE(0),
    low: fingerprint.readInt32BE(4),
  };
}

/** The state of a call with a key. */
export interface StoredResponse {
  readonly fingerprint: Buffer;
  /** The body of the first response, byte for byte. Null for a call that has begun and not completed. */
  readonly response: string | null;
  /** The id of the resource that the call wrote before its response was known. */
  readonly resourceId: number | null;
}

/** Runs for every call with a key. */
export const FIND = statement<{ readonly companyId: number; readonly key: string }, StoredResponse>(
  'idempotency: find',
  `select fingerprint, response, resource_id as "resourceId"
     from idempotency_keys where company_id = :companyId and key = :key`,
  { prepared: true },
);

/**
 * Takes both locks until the transaction ends. `taken` is true if another call with the key is running or has
 * completed. The call's lock is shared, because calls with other keys may have the same operation and body.
 * It is taken first, so that every holder of a key lock also shows its call lock.
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

/** Violates `idempotency_keys_pkey` if the key was used. */
export const STORE = statement<OfKey & { readonly response: string }>(
  'idempotency: store',
  `insert into idempotency_keys (company_id, key, fingerprint, response, created_at)
   values (:companyId, :key.key, :key.fingerprint, :response, clock_timestamp())`,
  { prepared: true },
);

/** Like `STORE`, for a call without a response yet: stores the id of the resource that it wrote. */
export const BEGIN = statement<OfKey & { readonly resourceId: number }>(
  'idempotency: begin',
  `insert into idempotency_keys (company_id, key, fingerprint, resource_id, created_at)
   values (:companyId, :key.key, :key.fingerprint, :resourceId, clock_timestamp())`,
  { prepared: true },
);

/** Stores the response of a call that has begun, unless it has one. */
export const COMPLETE = statement<OfKey & { readonly response: string }, { readonly response: string }>(
  'idempotency: complete',
  `update idempotency_keys set response = coalesce(response, :response)
    where company_id = :companyId and key = :key.key returning response`,
  { prepared: true, present: ['response'] },
);

/**
 * Whether the holder of the key's lock holds the lock of another call. Returns no row if the key is not
 * locked. `pg_locks` shows both locks at the same moment. It shows a 64-bit lock as two unsigned halves with
 * `objsubid` 1, and a pair with `objsubid` 2.
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
 * Stores a response inside a statement of another lib, which saves a round trip. The statement needs the
 * parameter `response`; with null, nothing is inserted.
 */
export const insertResponseSql = (companyId: string, createdAt: string): string => `
  insert into idempotency_keys (company_id, key, fingerprint, response, created_at)
  select ${companyId}, :response.key.key::text, :response.key.fingerprint::bytea, :response.text::text, ${createdAt}
   where :response.key.key::text is not null`;
