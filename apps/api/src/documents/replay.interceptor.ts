import { parseDocumentType, Replays } from '@counterfoil/documents';
import { AppError, fingerprintOf, type RetryKey } from '@counterfoil/kernel';
import {
  type CallHandler,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { catchError, from, map, type Observable, of, switchMap } from 'rxjs';
import type { AuthenticatedRequest } from '../http/auth.guard';
import { idempotencyKeyOf } from '../http/idempotency-key.decorator';

/** The answer to a call that issues, as it goes over the wire and is kept. */
export interface IssuingAnswer {
  readonly outcome: 'created' | 'existing' | 'replayed';
  /** JSON. */
  readonly text: string;
}

const REFUSALS: ReadonlySet<string> = new Set(['VALIDATION_FAILED', 'UNKNOWN_REFERENCE', 'INVALID_STATE']);

interface RepeatableRequest extends AuthenticatedRequest {
  retryKey?: RetryKey;
}

/**
 * Answers a repeated call with the first response, before the body is validated: the same key with another body is
 * `IDEMPOTENCY_KEY_REUSED` even where that body is not valid (decisions §12). Sends what the handler answers.
 */
@Injectable()
export class ReplayInterceptor implements NestInterceptor {
  constructor(private readonly replays: Replays) {}

  intercept(context: ExecutionContext, next: CallHandler<IssuingAnswer>): Observable<string> {
    const http = context.switchToHttp();
    const request = http.getRequest<RepeatableRequest>();
    return this.answer(request, next).pipe(map((answer) => send(http.getResponse<FastifyReply>(), answer)));
  }

  private answer(request: RepeatableRequest, next: CallHandler<IssuingAnswer>): Observable<IssuingAnswer> {
    const key = retryKeyOf(request);
    if (!key || !request.caller) return next.handle();
    request.retryKey = key;
    const { companyId } = request.caller;
    const call = () => next.handle().pipe(catchError((error) => this.refused(companyId, key, error)));
    return from(this.replays.find(companyId, key)).pipe(
      switchMap((text) => (text === null ? call() : of({ outcome: 'replayed' as const, text }))),
    );
  }

  /** A call that is refused for its body is told first that its key is taken. */
  private async refused(companyId: number, key: RetryKey, error: unknown): Promise<IssuingAnswer> {
    const isRefusal = error instanceof AppError && REFUSALS.has(error.code);
    const text = isRefusal ? await this.replays.whenRefused(companyId, key) : null;
    if (text === null) throw error;
    return { outcome: 'replayed', text };
  }
}

/** The key that the call came with, and what it asks for; null when it came without. */
export const RetryKeyOf = createParamDecorator((_: unknown, context: ExecutionContext): RetryKey | null => {
  return context.switchToHttp().getRequest<RepeatableRequest>().retryKey ?? null;
});

/** A text that is JSON goes out as it is: byte for byte what is kept (spec: Idempotency rules, 2). */
function send(reply: FastifyReply, { outcome, text }: IssuingAnswer): string {
  void reply
    .status(outcome === 'created' ? 201 : 200)
    .header('content-type', 'application/json; charset=utf-8');
  if (outcome === 'replayed') void reply.header('idempotent-replay', 'true');
  return text;
}

function retryKeyOf(request: RepeatableRequest): RetryKey | null {
  const type = parseDocumentType((request.params as { readonly type: string }).type);
  if (!type) throw new AppError('NOT_FOUND', 'no such document type');
  const key = idempotencyKeyOf(request);
  return key === null ? null : { key, fingerprint: fingerprintOf(type, request.body) };
}
