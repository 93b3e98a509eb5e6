import { Idempotency, IdempotencyKeyTaken } from '@counterfoil/idempotency';
import { AppError, type Caller, type ErrorCode } from '@counterfoil/kernel';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply } from 'fastify';
import { catchError, from, type Observable, of, switchMap } from 'rxjs';
import { idempotencyKeyOf, type KeyedRequest, RequestKey } from './request-key';

/** Errors that are not about what the call asks for. Its key comes before every other refusal (decisions §12). */
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
 * body is `IDEMPOTENCY_KEY_REUSED` even where that body is not valid (decisions §12).
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
    const replay = (response: string) => sendReplay(http.getResponse<FastifyReply>(), response);
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
    if (error instanceof IdempotencyKeyTaken) return this.idempotency.whenTaken(companyId, identified);
    const isRefusal = error instanceof AppError && !NO_REFUSALS.has(error.code);
    const response = isRefusal ? await this.idempotency.whenRefused(companyId, identified) : null;
    if (response === null) throw error;
    return response;
  }
}

/** A text that is JSON goes out as it is: byte for byte what is stored (spec: Idempotency rules, 2). */
function sendReplay(reply: FastifyReply, response: string): string {
  void reply
    .status(200)
    .header('content-type', 'application/json; charset=utf-8')
    .header('idempotent-replay', 'true');
  return response;
}
