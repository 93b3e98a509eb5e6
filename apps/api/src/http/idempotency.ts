import { Idempotency, IdempotencyKeyTaken, type IdempotentCall } from '@counterfoil/idempotency';
import {
  AppError,
  type Caller,
  type ErrorCode,
  fingerprintOf,
  type IdempotencyKey,
  parseIdempotencyKey,
} from '@counterfoil/kernel';
import {
  applyDecorators,
  type CallHandler,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  SetMetadata,
  UseInterceptors,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiHeader, ApiOkResponse, type ApiResponseOptions } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { catchError, from, type Observable, of, switchMap } from 'rxjs';
import type { AuthenticatedRequest } from './route.decorators';

/** Errors that do not judge the call itself. A stored response wins over all other errors (contract §9.1). */
const NO_REFUSALS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'IDEMPOTENCY_KEY_REUSED',
  'REQUEST_IN_PROGRESS',
  'UNAVAILABLE',
]);

export const OPERATION = 'idempotency:operation';
/** Returns the name of the operation that a request calls. @throws AppError if there is no such operation */
export type OperationOf = (request: KeyedRequest) => string;

/**
 * Answers a repeated call with the first response, byte for byte, before the body is validated: the same key with
 * another body is `IDEMPOTENCY_KEY_REUSED` even if that body is not valid (contract §9.1).
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly idempotency: Idempotency,
    private readonly reflector: Reflector,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<KeyedRequest>();
    const operationOf = this.reflector.get<OperationOf | undefined>(OPERATION, context.getHandler());
    const operation = operationOf?.(request);
    const text = idempotencyKeyOf(request);
    if (text === null || !request.caller) return next.handle();
    const key = new RequestKey(text);
    request.requestKey = key;
    if (operation !== undefined) key.identify(operation, request.body);
    const replay = (response: string) => sendStoredResponse(http.getResponse<FastifyReply>(), response);
    return this.answer(request.caller, key, next, replay);
  }

  private answer(
    { companyId }: Caller,
    key: RequestKey,
    next: CallHandler<unknown>,
    replay: (response: string) => string,
  ): Observable<unknown> {
    const call = () =>
      next
        .handle()
        .pipe(catchError((error: unknown) => from(this.firstResponse(companyId, key, error).then(replay))));
    const { identified } = key;
    if (!identified) return call();
    return from(this.idempotency.find(companyId, identified)).pipe(
      switchMap((response) => (response === null ? call() : of(replay(response)))),
    );
  }

  /** Returns the stored response for a call that failed although its key has one, or rethrows the error. */
  private async firstResponse(
    companyId: number,
    { identified }: RequestKey,
    error: unknown,
  ): Promise<string> {
    if (!identified) throw error;
    if (error instanceof IdempotencyKeyTaken) return this.idempotency.resolveTaken(companyId, identified);
    const isRefusal = error instanceof AppError && !NO_REFUSALS.has(error.code);
    const response = isRefusal ? await this.idempotency.resolveRefused(companyId, identified) : null;
    if (response === null) throw error;
    return response;
  }
}

/** Sends a stored JSON text byte for byte (contract §9.2). */
function sendStoredResponse(reply: FastifyReply, response: string): string {
  void reply
    .status(200)
    .header('content-type', 'application/json; charset=utf-8')
    .header('idempotent-replay', 'true');
  return response;
}

/** A request to a route that honours the `Idempotency-Key`. */
export interface KeyedRequest extends AuthenticatedRequest {
  requestKey?: RequestKey;
}

/**
 * Returns the key of a request, or null without the header.
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
   * Computes the fingerprint, which distinguishes this call from others with the same key.
   *
   * @param operation the name of the operation, the same for all spellings of its path
   * @param body the body of the request, as JSON values
   */
  identify(operation: string, body: unknown): this {
    this.identified = { key: this.key, fingerprint: fingerprintOf(operation, body) };
    return this;
  }

  /**
   * Returns the call for the use case, which stores its response. `identify` may be called later, but before the use
   * case reads the key.
   *
   * @param present makes the body of the response from the result of the use case
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
 * Runs a use case at most once for each key.
 *
 * @param create calls the use case, which stores the response of the call in its transaction
 * @returns the body of the response
 */
export async function createOnce<Result, Body extends object>(
  key: RequestKey | null,
  present: (result: Result) => Body,
  create: (call: IdempotentCall<Result> | null) => Promise<Result>,
): Promise<Body> {
  // Return the stored body itself: presenting the result again could give a link another expiry.
  let stored: Body | null = null;
  const presentStored = (result: Result) => (stored = present(result));
  const result = await create(key && key.callWith(presentStored));
  return stored ?? present(result);
}

function neverIdentified(): never {
  throw new Error('the call is not identified');
}

const RETENTION = 'Kept for 30 days, unless the operator has configured otherwise.';
const NOTHING_DONE = 'nothing was done now, this is the first response to a call with the same key.';

/**
 * Honours the `Idempotency-Key` (contract §9): a repeated call is answered with the first response. The
 * handler takes the key by `CallOf`, and gives the call to the use case that writes.
 *
 * @param operation the name of the operation, or a function that derives it from the request. Null if the handler
 *   calls `identify` itself.
 */
export const Idempotent = (operation: string | OperationOf | null) =>
  applyDecorators(
    SetMetadata(OPERATION, typeof operation === 'string' ? () => operation : (operation ?? undefined)),
    UseInterceptors(IdempotencyInterceptor),
    ApiIdempotencyKey(RETENTION),
  );

/** Documents the response to a repeated call, which is the body of the first one. */
export const ApiStoredResponse = (response: ApiResponseOptions) =>
  ApiOkResponse({
    description: 'A repeated call.',
    headers: storedResponseHeader(NOTHING_DONE),
    ...response,
  });

/** Describes the response of a route that answers a first call and a repeated one with the same status. */
export const DONE_OR_REPEATED = 'It is done; or a repeated call.';

/** The caller and the key of a request, for a handler. */
export interface Call {
  readonly caller: Caller;
  /** Null without an `Idempotency-Key`. */
  readonly key: RequestKey | null;
}

export const CallOf = createParamDecorator((_: unknown, context: ExecutionContext): Call => {
  const { caller, requestKey } = context.switchToHttp().getRequest<KeyedRequest>();
  if (!caller) throw new Error('the route is public');
  return { caller, key: requestKey ?? null };
});

const ApiIdempotencyKey = (kept: string) =>
  ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    description: `Makes it safe to send the call again: 1 to 255 printable ASCII characters, the same on every retry. ${kept}`,
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  });

/** Documents the header of a stored response. */
const storedResponseHeader = (description: string) => ({
  'Idempotent-Replay': { description: `true: ${description}`, schema: { type: 'string', enum: ['true'] } },
});
