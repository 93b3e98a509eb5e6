import { AppError, validationFailed } from '@counterfoil/kernel';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** JSON over 1 MiB is refused while it arrives (decisions §2). */
export const JSON_BYTES_MAX = 1024 * 1024;
/** Deeper than any body of ours; far from what makes recursive code run out of stack. */
const DEPTH_MAX = 20;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Makes JSON the only body there is, and refuses what would be trouble later, before anything looks at it. */
export function acceptOnlyJson(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error');
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: JSON_BYTES_MAX },
    (request: FastifyRequest, bytes: Buffer, done: (error: Error | null, body?: unknown) => void) => {
      const text = decode(bytes);
      if (text === null) return done(new AppError('VALIDATION_FAILED', 'the body must be UTF-8'));
      // An empty body is no body: some clients send the header with every request.
      if (text === '') return done(null, undefined);
      void parse(request, text, (error: Error | null, body: unknown) => {
        if (error)
          return done(new AppError('VALIDATION_FAILED', 'the body is not valid JSON', { cause: error }));
        done(problemOf(body), body);
      });
    },
  );
}

function decode(bytes: Buffer): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

/**
 * Walks the whole body, without recursion. PostgreSQL stores no NUL, and half of a surrogate pair would be stored as
 * something else than was sent.
 */
function problemOf(body: unknown): AppError | null {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return new AppError('VALIDATION_FAILED', 'the body must be a JSON object');
  }
  const pending: { readonly path: string; readonly value: unknown; readonly depth: number }[] = [
    { path: '', value: body, depth: 0 },
  ];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { path, value, depth } = next;
    if (typeof value === 'string') {
      if (value.includes('\0')) return validationFailed([{ field: path, problem: 'must not contain NUL' }]);
      if (!value.isWellFormed())
        return validationFailed([{ field: path, problem: 'must be well-formed Unicode' }]);
    } else if (typeof value === 'object' && value !== null) {
      if (depth >= DEPTH_MAX)
        return new AppError('VALIDATION_FAILED', `the body is nested deeper than ${DEPTH_MAX}`);
      for (const [key, child] of Object.entries(value)) {
        pending.push({ path: childPath(path, key, value), value: child, depth: depth + 1 });
      }
    }
  }
  return null;
}

function childPath(path: string, key: string, parent: object): string {
  if (Array.isArray(parent)) return `${path}[${key}]`;
  return path === '' ? key : `${path}.${key}`;
}
