import { Readable } from 'node:stream';
import { applyDecorators } from '@nestjs/common';
import { ApiOkResponse, ApiResponse } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { contentHeaders, isKnown, type SentContent, validators } from '../files/content-headers';
import { ErrorBody } from '../http/error-body';

const BINARY = { type: 'string', format: 'binary' } as const;

/** Documents the answer of a route that reads a file, which a worker makes. */
export const AnswersFile = (mimeType: string, description: string) =>
  applyDecorators(
    AnswersMadeFile(mimeType, description),
    ApiResponse({ status: 304, description: 'The bytes are those of the ETag that If-None-Match names' }),
  );

/** Documents the answer of a route that has a file made of what the caller sends. */
export const AnswersMadeFile = (mimeType: string, description: string) =>
  applyDecorators(
    ApiOkResponse({
      description,
      content: { [mimeType]: { schema: mimeType === 'text/html' ? { type: 'string' } : BINARY } },
    }),
    ApiResponse({
      status: 503,
      type: ErrorBody,
      description: 'UNAVAILABLE: not made in time, or too many calls of the company wait; ask again',
    }),
  );

/** Sends a file, unless the caller asks only whether it has changed. */
export async function sendFile(
  file: SentContent,
  read: () => Promise<Buffer>,
  reply: FastifyReply,
): Promise<Buffer | Readable | undefined> {
  const { headers, method } = reply.request;
  // A call that sends a body is no such question (RFC 9110, 15.4.5).
  if (method !== 'POST' && isKnown(file.sha256, headers['if-none-match'])) {
    void reply.status(304).headers(validators(file));
    return undefined;
  }
  // For a stream, the framework keeps our Content-Length. The headers follow, so that an error has its own.
  const content = method === 'HEAD' ? Readable.from([]) : await read();
  void reply.headers(contentHeaders(file));
  return content;
}
