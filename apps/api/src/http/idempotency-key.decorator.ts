import type { Caller } from '@counterfoil/kernel';
import {
  applyDecorators,
  createParamDecorator,
  type ExecutionContext,
  SetMetadata,
  UseInterceptors,
} from '@nestjs/common';
import { ApiHeader, ApiOkResponse, type ApiResponseOptions } from '@nestjs/swagger';
import { IdempotencyInterceptor, OPERATION, type OperationOf } from './idempotency.interceptor';
import type { KeyedRequest, RequestKey } from './request-key';

const RETENTION = 'Kept for 30 days, unless the operator has configured otherwise.';
const NOTHING_DONE = 'nothing was done now, this is the first response to a call with the same key.';

/**
 * Honours the `Idempotency-Key` (spec: Idempotency rules): a repeated call is answered with the first response. The
 * handler takes the key by `CallOf`, and gives the call to the use case that writes.
 *
 * @param operation the name of what the route does, or how it is read from the request. Null where the handler
 *   identifies the call itself.
 */
export const Idempotent = (operation: string | OperationOf | null) =>
  applyDecorators(
    SetMetadata(OPERATION, typeof operation === 'string' ? () => operation : (operation ?? undefined)),
    UseInterceptors(IdempotencyInterceptor),
    ApiIdempotencyKey(RETENTION),
  );

/** Documents the response to a repeated call, which is the body of the first one. */
export const ApiReplayed = (response: ApiResponseOptions) =>
  ApiOkResponse({ description: 'A repeated call.', headers: replayHeader(NOTHING_DONE), ...response });

/** Describes the response of a route that answers a first call and a repeated one with the same status. */
export const DONE_OR_REPEATED = 'It is done; or a repeated call.';

/** A call, as a handler takes it. */
export interface Call {
  readonly caller: Caller;
  /** Null when it came without an `Idempotency-Key`. */
  readonly key: RequestKey | null;
}

export const CallOf = createParamDecorator((_: unknown, context: ExecutionContext): Call => {
  const { caller, requestKey } = context.switchToHttp().getRequest<KeyedRequest>();
  if (!caller) throw new Error('the route is public');
  return { caller, key: requestKey ?? null };
});

/** Documents the header. */
const ApiIdempotencyKey = (kept: string) =>
  ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    description: `Makes it safe to send the call again: 1 to 255 printable ASCII characters, the same on every retry. ${kept}`,
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  });

/** Documents the header that a repeated call is answered with. */
const replayHeader = (description: string) => ({
  'Idempotent-Replay': { description: `true: ${description}`, schema: { type: 'string', enum: ['true'] } },
});
