import { CounterfoilError, type FieldProblem } from './errors.ts';
import type { AnswerKind } from './request.ts';
import { retryAfterOf } from './retry.ts';

/** Reads an answer. Rejects with what `fetch` rejects with if the connection breaks meanwhile. */
export async function answerOf(response: Response, kind: AnswerKind): Promise<unknown> {
  if (!response.ok) throw errorOf(response, await response.text());
  if (kind === 'blob') return response.blob();
  const text = await response.text();
  if (kind === 'text') return text;
  const value = parsed(text);
  if (value === undefined) throw unexpected(response, 'an answer that is not JSON');
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface ErrorBody {
  readonly code: string;
  readonly error: string;
  readonly details?: readonly FieldProblem[];
  readonly requestId?: string;
}

function errorOf(response: Response, text: string): CounterfoilError {
  const body = parsed(text);
  if (!isErrorBody(body)) return unexpected(response, 'an error that is not the service’s');
  return new CounterfoilError(body.code, body.error, {
    ...circumstancesOf(response),
    ...(Array.isArray(body.details) ? { fields: body.details } : {}),
    ...(typeof body.requestId === 'string' ? { requestId: body.requestId } : {}),
  });
}

function isErrorBody(body: unknown): body is ErrorBody {
  const { code, error } = (body ?? {}) as Partial<ErrorBody>;
  return typeof code === 'string' && typeof error === 'string';
}

function unexpected(response: Response, what: string): CounterfoilError {
  const { status, type } = response;
  // Browsers hide the status of a redirect.
  const isRedirect = type === 'opaqueredirect' || (status >= 300 && status < 400);
  const message = isRedirect
    ? 'a redirect: is baseUrl the address of the service itself?'
    : `${what}, with status ${status}: is baseUrl right?`;
  return new CounterfoilError('UNEXPECTED_ANSWER', message, circumstancesOf(response));
}

function circumstancesOf({ status, headers }: Response) {
  return {
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: retryAfterOf(headers.get('retry-after')),
  };
}
