import { AppError, validationFailed } from '@counterfoil/kernel';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** JSON over 1 MiB is refused while it arrives (decisions §2). */
export const JSON_BYTES_MAX = 1024 * 1024;
/** Deeper than any body of ours; far from what makes recursive code run out of stack. */
const DEPTH_MAX = 20;
/** More than any body of ours holds; few enough that checking them one by one keeps nobody waiting. */
const VALUES_MAX = 10_000;
/** A path made of the caller's own keys is named no longer than this. */
const FIELD_LENGTH_MAX = 200;

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

interface Visit {
  readonly field: string;
  readonly value: unknown;
  readonly depth: number;
}

/** Walks the whole body, without recursion, and stops at the first thing that is wrong. */
function problemOf(body: unknown): AppError | null {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return refused('must be a JSON object');
  }
  const pending: Visit[] = [{ field: '', value: body, depth: 0 }];
  let values = 0;
  for (let visit = pending.pop(); visit; visit = pending.pop()) {
    const problem = problemAt(visit);
    if (problem) return problem;
    values += sizeOf(visit.value);
    if (values > VALUES_MAX) return refused(`holds more than ${VALUES_MAX} values`);
    pending.push(...childrenOf(visit));
  }
  return null;
}

function problemAt({ field, value, depth }: Visit): AppError | null {
  if (typeof value === 'string') {
    const problem = textProblem(value);
    return problem === null ? null : validationFailed([{ field, problem }]);
  }
  if (typeof value !== 'object' || value === null) return null;
  if (depth >= DEPTH_MAX) return refused(`is nested deeper than ${DEPTH_MAX}`);
  const badKey = !Array.isArray(value) && Object.keys(value).some((key) => textProblem(key) !== null);
  return badKey ? refused('has a key with NUL or broken Unicode in it') : null;
}

function sizeOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return Array.isArray(value) ? value.length : Object.keys(value).length;
}

function childrenOf({ field, value, depth }: Visit): Visit[] {
  if (typeof value !== 'object' || value === null) return [];
  const nameOf = Array.isArray(value)
    ? (index: string) => `${field}[${index}]`
    : (key: string) => (field === '' ? key : `${field}.${key}`).slice(0, FIELD_LENGTH_MAX);
  const entries: [string, unknown][] = Object.entries(value);
  return entries.map(([key, child]) => ({ field: nameOf(key), value: child, depth: depth + 1 }));
}

/** PostgreSQL stores no NUL, and half of a surrogate pair would be stored as something else than was sent. */
function textProblem(text: string): string | null {
  if (text.includes('\0')) return 'must not contain NUL';
  return text.isWellFormed() ? null : 'must be well-formed Unicode';
}

function refused(problem: string): AppError {
  return new AppError('VALIDATION_FAILED', `the body ${problem}`);
}
