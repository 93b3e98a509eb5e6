import { type PreparedStatement, Sql } from '@counterfoil/database';
import type { RetryKey } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import {
  IdempotencyKeys,
  IdempotencyKeyTaken,
  type StoredResponse,
} from '../../application/ports/idempotency-keys';
import { locksOf, RUNNING_CALL_SQL, TRY_LOCKS_SQL, unsigned } from './idempotency-key-lock';

/** Every call with a key asks this first. */
const FIND: PreparedStatement = {
  name: 'idempotency-keys-find',
  text: 'select fingerprint, response from idempotency_keys where company_id = $1 and key = $2',
};

@Injectable()
export class PostgresIdempotencyKeys extends IdempotencyKeys {
  constructor(private readonly sql: Sql) {
    super();
  }

  override async find(companyId: number, key: string): Promise<StoredResponse | null> {
    const [stored] = await this.sql.prepared<{ fingerprint: Buffer; response: string }>(FIND, [
      companyId,
      key,
    ]);
    return stored ?? null;
  }

  override async store(companyId: number, key: RetryKey, response: string): Promise<void> {
    const locks = locksOf(companyId, key);
    const stored = await this.sql.rows(
      `with claimed as materialized (${TRY_LOCKS_SQL})
       insert into idempotency_keys (company_id, key, fingerprint, response, created_at)
       select $4, $5, $6, $7, clock_timestamp() from claimed where claimed
       on conflict do nothing
       returning 1`,
      [locks.key, ...locks.call, companyId, key.key, key.fingerprint, response],
    );
    if (stored.length === 0) throw new IdempotencyKeyTaken();
  }

  override async running(companyId: number, key: RetryKey): Promise<'same' | 'other' | null> {
    const locks = locksOf(companyId, key);
    const [row] = await this.sql.rows<{ other: boolean }>(RUNNING_CALL_SQL, [
      locks.key,
      ...locks.call.map(unsigned),
    ]);
    return row ? (row.other ? 'other' : 'same') : null;
  }

  override async purge(before: Date, limit: number): Promise<number> {
    const purged = await this.sql.rows(
      `delete from idempotency_keys
        where (company_id, key) in
          (select company_id, key from idempotency_keys where created_at < $1 order by created_at limit $2)
        returning 1`,
      [before, limit],
    );
    return purged.length;
  }
}
