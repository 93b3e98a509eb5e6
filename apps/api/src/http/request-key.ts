import type { IdempotentCall } from '@counterfoil/idempotency';
import { fingerprintOf, parseIdempotencyKey, type IdempotencyKey } from '@counterfoil/kernel';
import type { FastifyRequest } from 'fastify';
import type { AuthenticatedRequest } from './authenticated-request';

/** A request to a route that honours the `Idempotency-Key`. */
export interface KeyedRequest extends AuthenticatedRequest {
  requestKey?: RequestKey;
}

/**
 * The key of a request; null when it came without.
 *
 * @throws AppError `INVALID_IDEMPOTENCY_KEY`
 */
export function idempotencyKeyOf({ raw }: FastifyRequest): string | null {
  return parseIdempotencyKey(raw.headersDistinct['idempotency-key'] ?? []);
}

/** The `Idempotency-Key` of a request. */
export class RequestKey {
  /** With the fingerprint of the call; null until the call is identified. */
  identified: IdempotencyKey | null = null;

  /** @param key 1 to 255 printable ASCII characters */
  constructor(readonly key: string) {}

  /**
   * Tells the call from others that may come with the same key.
   *
   * @param operation its name, the same for all spellings of its path
   * @param body the body of the request, as JSON values
   */
  identify(operation: string, body: unknown): this {
    this.identified = { key: this.key, fingerprint: fingerprintOf(operation, body) };
    return this;
  }

  /**
   * The call, for the use case to store its response. It may be identified later, but before its key is used.
   *
   * @param present from what the use case returns to the body of the response
   */
  callWith<Result>(present: (result: Result) => object): IdempotentCall<Result> {
    const identified = () => this.identified ?? neverIdentified();
    return {
      get key() {
        return identified();
      },
      responseTo: (result) => JSON.stringify(present(result)),
    };
  }
}

/**
 * Has a use case make something once for each key.
 *
 * @param create what the use case does, with the call that it is to store the response of
 * @returns the body of the response
 */
export async function createOnce<Result, Body extends object>(
  key: RequestKey | null,
  present: (result: Result) => Body,
  create: (call: IdempotentCall<Result> | null) => Promise<Result>,
): Promise<Body> {
  // The response is what was stored: presented again, a link in it might have another expiry.
  let stored: Body | null = null;
  const presentStored = (result: Result) => (stored = present(result));
  const result = await create(key && key.callWith(presentStored));
  return stored ?? present(result);
}

function neverIdentified(): never {
  throw new Error('the call is not identified');
}
