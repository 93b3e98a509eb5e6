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

/**
 * Errors that are not about what the call asks for. Its key comes before every other refusal (contract §9.1).
 */
const NO_REFUSALS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'IDEMPOTENCY_KEY_REUSED',
  'REQUEST_IN_PROGRESS',
  'UNAVAILABLE',
]);

export const OPERATION = 'idempotency:operation';
/** The name of what a request asks for. @throws AppError where there is no such thing */
export type OperationOf = (request: KeyedRequest) => string;

/**
 * Answers a repeated call with the first response, byte for byte, before the body is validated: the same key with another
 * body is `IDEMPOTENCY_KEY_REUSED` even where that body is not valid (contract §9.1).
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

  /** The response to a call that fails since its key is taken; throws the error of every other call. */
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

/** Sends a JSON text as it is, byte for byte as stored (contract §9.2). */
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
  // The stored response: presented again, a link in it might have another expiry.
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
export const ApiStoredResponse = (response: ApiResponseOptions) =>
  ApiOkResponse({
    description: 'A repeated call.',
    headers: storedResponseHeader(NOTHING_DONE),
    ...response,
  });

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
const storedResponseHeader = (description: string) => ({
  'Idempotent-Replay': { description: `true: ${description}`, schema: { type: 'string', enum: ['true'] } },
});
