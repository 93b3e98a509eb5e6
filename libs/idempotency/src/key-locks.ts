import { createHash } from 'node:crypto';
import type { IdempotencyKey } from '@counterfoil/kernel';

/**
 * The advisory locks of a running call: one that only one call with the key can hold, and one that tells its operation
 * and body from another's. Each is a number of 64 bits; the second is given as two halves, in the lock space where
 * PostgreSQL keeps pairs.
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
