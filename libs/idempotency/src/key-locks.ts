import { createHash } from 'node:crypto';
import type { IdempotencyKey } from '@counterfoil/kernel';

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
