import type { IdempotencyKey } from '@counterfoil/kernel';

/** A call that came with an `Idempotency-Key`, and the response that is stored under it. */
export interface IdempotentCall<Result> {
  readonly key: IdempotencyKey;
  /**
   * The body of the response, as it is stored and sent, without any secret. Called inside the transaction, which may be run again: the same
   * result gives the same text.
   */
  readonly responseTo: (result: Result) => string;
}

/** Another call with the same key is running, or has ended with a response. */
export class IdempotencyKeyTaken extends Error {
  constructor() {
    super('the idempotency key is taken');
  }
}
