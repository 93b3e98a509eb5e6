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

/** A response that is to be stored. */
export interface NewResponse {
  readonly key: IdempotencyKey;
  readonly response: string;
}

/**
 * Responses by company and idempotency key. "In progress" is a pair of advisory locks that the transaction of the call
 * holds: they end with that transaction, however it ends, and with the process that ran it.
 */
@Injectable()
export class StoredResponses {
  constructor(private readonly sql: Sql) {}

  find(companyId: number, key: string): Promise<StoredResponse | null> {
    return this.sql.first(FIND, { companyId, key });
  }

  /** @returns false when another call runs under the key, or has ended with a response */
  async claim(tx: Transaction, companyId: number, key: IdempotencyKey): Promise<boolean> {
    const locks = locksOf(companyId, key);
    return !(await within(tx).only(CLAIM, { companyId, key, locks })).taken;
  }

  /** @returns false when a response is stored already */
  async insert(tx: Transaction, companyId: number, stored: NewResponse): Promise<boolean> {
    return (await within(tx).changed(STORE, { companyId, ...stored })) === 1;
  }

  /** @returns false when the key has been used */
  async begin(tx: Transaction, companyId: number, key: IdempotencyKey, resourceId: number): Promise<boolean> {
    return (await within(tx).changed(BEGIN, { companyId, key, resourceId })) === 1;
  }

  /** @returns the response that is stored now; null where the key is forgotten */
  async complete(companyId: number, stored: NewResponse): Promise<string | null> {
    const row = await this.sql.first(COMPLETE, { companyId, ...stored });
    return row?.response ?? null;
  }

  /** The call whose transaction holds the key: of the same operation and body, or of another; null when none does. */
  async running(companyId: number, key: IdempotencyKey): Promise<'same' | 'other' | null> {
    const row = await this.sql.first(FIND_RUNNING, locksOf(companyId, key));
    return row && (row.other ? 'other' : 'same');
  }

  /**
   * Deletes responses stored before a time.
   *
   * @param signal ends it after the batch that runs
   */
  purge(before: Date, signal: AbortSignal): Promise<void> {
    return purgeInBatches((batch) => this.sql.rows(PURGE, { before, batch }), signal);
  }
}
