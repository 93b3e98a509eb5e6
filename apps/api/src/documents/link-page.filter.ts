import type { AppError } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { ClosedShare } from '@counterfoil/sharing';
import { Catch, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiErrorFilter } from '../http/api-error.filter';
import { prefersPage } from '../http/prefers-page';
import { beginError } from '../http/send-error';
import { NO_DOCUMENT_HEADERS, noDocumentPage, SHARED_HEADERS } from './share-page';
import type { NoDocument } from './share-page-labels';

/** Answers people with a page, and programs with the API's error body. */
@Catch()
@Injectable()
export class LinkPageFilter extends ApiErrorFilter {
  constructor(log: Log) {
    super(log);
  }

  protected override answer(error: AppError, request: FastifyRequest, reply: FastifyReply): void {
    void reply.headers(SHARED_HEADERS);
    if (!prefersPage(request.headers.accept)) return super.answer(error, request, reply);
    void beginError(error, request, reply)
      .headers(NO_DOCUMENT_HEADERS)
      .send(noDocumentPage(reasonOf(error)));
  }
}

function reasonOf({ code, cause }: AppError): NoDocument {
  if (cause instanceof ClosedShare) return cause.how;
  return code === 'NOT_FOUND' || code === 'VALIDATION_FAILED' ? 'unknown' : 'busy';
}
