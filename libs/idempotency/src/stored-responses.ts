import { purgeInBatches, Sql, within } from '@counterfoil/database';
import type { IdempotencyKey, Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { locksOf } from './key-locks';
import {
  BEGIN,
  CLAIM,
  COMPLETE,
  FIND,
  FIND_RUNNING,
  PURGE,
  STORE,
  type StoredResponse,
} from './stored-responses.sql';

export interface NewResponse {
  readonly key: IdempotencyKey;
  readonly response: string;
}

/**
 * Stored responses by company and idempotency key. The transaction of a running call holds a pair of advisory
 * locks, which end with the transaction or its process.
 */
@Injectable()
export class StoredResponses {
  constructor(private readonly sql: Sql) {}

  find(companyId: number, key: string): Promise<StoredResponse | null> {
    return this.sql.first(FIND, { companyId, key });
  }

  /** @returns false if another call with the key is running or has completed */
  async claim(tx: Transaction, companyId: number, key: IdempotencyKey): Promise<boolean> {
    const locks = locksOf(companyId, key);
    return !(await within(tx).only(CLAIM, { companyId, key, locks })).taken;
  }

  /** @returns false if a response is already stored */
  async insert(tx: Transaction, companyId: number, stored: NewResponse): Promise<boolean> {
    return (await within(tx).changed(STORE, { companyId, ...stored })) === 1;
  }

  /** @returns false if the key has been used */
  async begin(tx: Transaction, companyId: number, key: IdempotencyKey, resourceId: number): Promise<boolean> {
    return (await within(tx).changed(BEGIN, { companyId, key, resourceId })) === 1;
  }

  /** @returns the stored response; null if the key has expired */
  async complete(companyId: number, stored: NewResponse): Promise<string | null> {
    const row = await this.sql.first(COMPLETE, { companyId, ...stored });
    return row?.response ?? null;
  }

  /**
   * Finds the call whose transaction holds the key: `same` for the same operation and body. Null if none
   * does.
   */
  async findRunning(companyId: number, key: IdempotencyKey): Promise<'same' | 'other' | null> {
    const row = await this.sql.first(FIND_RUNNING, locksOf(companyId, key));
    return row && (row.other ? 'other' : 'same');
  }

  /**
   * Deletes responses stored before a time.
   *
   * @param signal stops the purge after the current batch
   */
  purge(before: Date, signal: AbortSignal): Promise<void> {
    return purgeInBatches((batch) => this.sql.rows(PURGE, { before, batch }), signal);
  }
}
