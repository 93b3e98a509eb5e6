import type { IdempotencyKey } from '@counterfoil/kernel';

/** A call with an `Idempotency-Key`, and the function that renders its stored response. */
export interface IdempotentCall<Result> {
  readonly key: IdempotencyKey;
  /**
   * Returns the response body as it is stored and sent. It must not contain secrets, and must be
   * deterministic, because the transaction that calls it may run again.
   */
  readonly responseTo: (result: Result) => string;
}

/** Another call with the same key is running or has completed. */
export class IdempotencyKeyTaken extends Error {
  constructor() {
    super('the idempotency key is taken');
  }
}
