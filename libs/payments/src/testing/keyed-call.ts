import { setTimeout as sleep } from 'node:timers/promises';
import { Idempotency, type IdempotentCall, IdempotencyKeyTaken } from '@counterfoil/idempotency';
import { AppError, type IdempotencyKey } from '@counterfoil/kernel';
import type { OpenContext } from '@counterfoil/test-harness';
import type { StartedOperation } from '../application/idempotent-operations';

export interface Answered<Body> {
  readonly body: Body;
  readonly replayed: boolean;
}

export interface KeyedCall<Result, Body> {
  readonly companyId: number;
  readonly key: IdempotencyKey;
  /** Converts the result to the body of the response. */
  readonly present: (result: Result) => Body;
}

/**
 * Returns the response to a call with an idempotency key as the API would answer it. A call that is in
 * progress is repeated, as clients do.
 *
 * @param ask makes the call
 */
export async function answerOf<Result, Body>(
  context: OpenContext,
  { companyId, key, present }: KeyedCall<Result, Body>,
  ask: (call: IdempotentCall<Result>) => Promise<Result>,
): Promise<Answered<Body>> {
  for (;;) {
    try {
      const result = await ask({ key, responseTo: (made) => JSON.stringify(present(made)) });
      return { body: present(result), replayed: false };
    } catch (error) {
      const response = await firstResponse(context, companyId, key, error);
      if (response !== null) return { body: JSON.parse(response) as Body, replayed: true };
    }
    await sleep(5);
  }
}

/** The ids of a charge and its operation, as the body of a response. */
export const idsOf = ({ charge, operation }: StartedOperation) => ({
  chargeId: charge.id,
  operationId: operation.id,
});

/** Returns null if the call is in progress. */
async function firstResponse(
  context: OpenContext,
  companyId: number,
  key: IdempotencyKey,
  error: unknown,
): Promise<string | null> {
  try {
    if (error instanceof IdempotencyKeyTaken)
      return await context.get(Idempotency).resolveTaken(companyId, key);
    // A key conflict takes precedence over a refusal (contract §9.1), because the first call may have changed
    // the charge meanwhile.
    const response =
      error instanceof AppError &&
      error.code !== 'REQUEST_IN_PROGRESS' &&
      error.code !== 'IDEMPOTENCY_KEY_REUSED'
        ? await context.get(Idempotency).resolveRefused(companyId, key)
        : null;
    if (response === null) throw error;
    return response;
  } catch (refused) {
    if (refused instanceof AppError && refused.code === 'REQUEST_IN_PROGRESS') return null;
    throw refused;
  }
}
