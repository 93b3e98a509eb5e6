import { type PreparedStatement, purgeInBatches, runPrepared, Sql } from '@counterfoil/database';
import type { IdempotencyKey, Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { locksOf, RUNNING_CALL_SQL, TRY_LOCKS_SQL, unsigned } from './key-locks';

export interface StoredResponse {
  readonly fingerprint: Buffer;
  /** The body of the first response, byte for byte; null of a call that has begun, and has none yet. */
  readonly response: string | null;
  /** Of a call that was begun: what it wrote. */
  readonly resourceId: number | null;
}

/** A response that is to be stored. */
export interface NewResponse {
  readonly key: IdempotencyKey;
  readonly response: string;
}

/** Every call with a key asks this first. */
const FIND: PreparedStatement = {
  name: 'idempotency-keys-find',
  text: `
    select fingerprint, response, resource_id as "resourceId"
      from idempotency_keys where company_id = $1 and key = $2`,
};

/** `taken` where another call runs under the key, or has ended with a response. Parameters: the locks, company, key. */
const CLAIM: PreparedStatement = {
  name: 'idempotency-keys-claim',
  text: `
    with locks as materialized (${TRY_LOCKS_SQL})
    select not claimed or exists (select from idempotency_keys where company_id = $4 and key = $5) as taken
      from locks`,
};

/** Inserts nothing where a response is stored. Parameters: company, key, fingerprint, response. */
const STORE: PreparedStatement = {
  name: 'idempotency-keys-store',
  text: `
    insert into idempotency_keys (company_id, key, fingerprint, response, created_at)
    values ($1, $2, $3, $4, clock_timestamp())
    on conflict do nothing
    returning 1`,
};

/** Of a call that has no response yet. Parameters: company, key, fingerprint, what it wrote. */
const BEGIN: PreparedStatement = {
  name: 'idempotency-keys-begin',
  text: `
    insert into idempotency_keys (company_id, key, fingerprint, resource_id, created_at)
    values ($1, $2, $3, $4, clock_timestamp())
    on conflict do nothing
    returning 1`,
};

/** Stores the response of a call that was begun, where there is none. Parameters: company, key, response. */
const COMPLETE: PreparedStatement = {
  name: 'idempotency-keys-complete',
  text: `
    update idempotency_keys set response = coalesce(response, $3) where company_id = $1 and key = $2
    returning response`,
};

/**
 * Responses by company and idempotency key. "In progress" is a pair of advisory locks that the transaction of the call
 * holds: they end with that transaction, however it ends, and with the process that ran it.
 */
@Injectable()
export class StoredResponses {
  constructor(private readonly sql: Sql) {}

  async find(companyId: number, key: string): Promise<StoredResponse | null> {
    const [stored] = await this.sql.prepared<StoredResponse>(FIND, [companyId, key]);
    return stored ?? null;
  }

  /** @returns false when another call runs under the key, or has ended with a response */
  async claim(tx: Transaction, companyId: number, key: IdempotencyKey): Promise<boolean> {
    const locks = locksOf(companyId, key);
    const [row] = await runPrepared<{ taken: boolean }>(tx, CLAIM, [
      ...[locks.key, ...locks.call],
      ...[companyId, key.key],
    ]);
    return row?.taken === false;
  }

  /** @returns false when a response is stored already */
  async insert(tx: Transaction, companyId: number, { key, response }: NewResponse): Promise<boolean> {
    return (await runPrepared(tx, STORE, [companyId, key.key, key.fingerprint, response])).length === 1;
  }

  /** @returns false when the key has been used */
  async begin(tx: Transaction, companyId: number, key: IdempotencyKey, resourceId: number): Promise<boolean> {
    return (await runPrepared(tx, BEGIN, [companyId, key.key, key.fingerprint, resourceId])).length === 1;
  }

  /** @returns the response that is stored now; null where the key is forgotten */
  async complete(companyId: number, { key, response }: NewResponse): Promise<string | null> {
    const [row] = await this.sql.prepared<{ response: string }>(COMPLETE, [companyId, key.key, response]);
    return row?.response ?? null;
  }

  /** The call whose transaction holds the key: of the same operation and body, or of another; null when none does. */
  async running(companyId: number, key: IdempotencyKey): Promise<'same' | 'other' | null> {
    const locks = locksOf(companyId, key);
    const [row] = await this.sql.rows<{ other: boolean }>(RUNNING_CALL_SQL, [
      locks.key,
      ...locks.call.map(unsigned),
    ]);
    return row ? (row.other ? 'other' : 'same') : null;
  }

  /**
   * Deletes responses stored before a time.
   *
   * @param signal ends it after the batch that runs
   */
  purge(before: Date, signal: AbortSignal): Promise<void> {
    return purgeInBatches(
      (batch) =>
        this.sql.rows(
          `delete from idempotency_keys
            where (company_id, key) in
              (select company_id, key from idempotency_keys where created_at < $1 order by created_at limit $2)
            returning 1`,
          [before, batch],
        ),
      signal,
    );
  }
}
