import type { RetryKey } from '@counterfoil/kernel';

export interface StoredResponse {
  readonly fingerprint: Buffer;
  /** The body of the first answer, byte for byte. */
  readonly response: string;
}

/** Another call with the same key runs, or has ended with a response. */
export class IdempotencyKeyTaken extends Error {
  constructor() {
    super('the idempotency key is taken');
  }
}

/**
 * What was answered under which key (spec: Idempotency key states). "In progress" is a lock that the database holds
 * for the transaction of the call: it ends with that transaction, however it ends, and with the process that ran it.
 */
export abstract class IdempotencyKeys {
  abstract find(companyId: number, key: string): Promise<StoredResponse | null>;

  /**
   * Stores a response by itself; `DocumentRepository` stores those of what it issues.
   *
   * @throws IdempotencyKeyTaken when a call with the key runs, or has been answered
   */
  abstract store(companyId: number, key: RetryKey, response: string): Promise<void>;

  /** The call with this key whose transaction is open: of the same path and body, or of another; null when none is. */
  abstract running(companyId: number, key: RetryKey): Promise<'same' | 'other' | null>;

  /** Forgets responses stored before a time, `limit` at most, and answers how many. */
  abstract purge(before: Date, limit: number): Promise<number>;
}
