import type { IncomingMessage } from 'node:http';
import { AppError, validationFailed } from '@counterfoil/kernel';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { settleRoom } from './body-gate';
import { inTurn } from './body-turns';
import type { Connections } from './connections';
import { jsonLimitsOf, limitRoutes } from './json-limits';
import { exceededBound, type JsonBounds } from './json-scan';
import { readBody } from './read-body';

/** What is told of a body that is not JSON. */
export const NOT_JSON = 'the body must be JSON, sent with Content-Type: application/json';
/** Deeper than any body of ours; far from what makes recursive code run out of stack. */
const DEPTH_MAX = 20;
/** A path made of the caller's own keys is named no longer than this. */
const FIELD_LENGTH_MAX = 200;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Makes JSON the only body there is, but for uploads, and refuses what would be trouble later, before anything looks at it. */
export function acceptOnlyJson(server: FastifyInstance, connections: Connections): void {
  const parse = server.getDefaultJsonParser('error', 'error');
  limitRoutes(server);
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('multipart/form-data', (request, _body, done) => {
    // What takes an upload reads it by itself.
    done(request.routeOptions.config.upload ? null : new AppError('UNSUPPORTED_MEDIA_TYPE', NOT_JSON));
  });
  server.addContentTypeParser(
    'application/json',
    (request: FastifyRequest, raw: IncomingMessage, done: (error: Error | null, body?: unknown) => void) => {
      const { bytesMax, valuesMax } = jsonLimitsOf(request);
      const take = (bytes: Buffer): void => {
        const text = decode(bytes);
        if (text === null) return done(refused('must be UTF-8'));
        // An empty body is no body: some clients send the header with every request.
        if (text === '') return done(null, undefined);
        void parse(request, text, (error: Error | null, body: unknown) => {
          if (error)
            return done(new AppError('VALIDATION_FAILED', 'the body is not valid JSON', { cause: error }));
          done(problemOf(body, text), body);
        });
      };
      /** Does a step in its turn. A fault of ours must not leave a listener or a promise: nobody would catch it there. */
      const step = (bytes: Buffer, work: (bytes: Buffer) => void): void => {
        const safely = (): void => {
          try {
            work(bytes);
          } catch (error) {
            done(error as Error);
          }
        };
        inTurn(request, bytes.length, safely, done);
      };
      readBody(raw, bytesMax, (fault, read) => {
        if (fault) return done(fault);
        connections.arrived(raw.socket);
        settleRoom(request, read.length);
        step(read, (bytes) => {
          const problem = boundProblem(bytes, { valuesMax, depthMax: DEPTH_MAX });
          if (problem) done(problem);
          else step(bytes, take);
        });
      });
    },
  );
}

function boundProblem(bytes: Buffer, bounds: JsonBounds): AppError | null {
  const exceeded = exceededBound(bytes, bounds);
  if (exceeded === 'valuesMax') return refused(`holds more than ${bounds.valuesMax} values`);
  if (exceeded === 'depthMax') return refused(`is nested deeper than ${bounds.depthMax}`);
  return null;
}

function decode(bytes: Buffer): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

function problemOf(body: unknown, text: string): AppError | null {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return refused('must be a JSON object');
  }
  // Without an escape there is neither: JSON allows no bare NUL, and UTF-8 no half of a surrogate pair.
  return text.includes('\\u') ? new BodyWalk().problemIn(body) : null;
}

/**
 * Walks a whole body and stops at the first text that cannot be stored. It is known to be no deeper than a body may be, so
 * the walk cannot run out of stack; and where a value stands is told only when it is wrong, since a body may hold a
 * million.
 */
class BodyWalk {
  /** The keys that lead to where the walk is. */
  private readonly path: (string | number)[] = [];

  problemIn(value: object): AppError | null {
    return Array.isArray(value) ? this.problemInList(value) : this.problemInObject(value);
  }

  private problemInList(list: readonly unknown[]): AppError | null {
    for (let index = 0; index < list.length; index++) {
      const problem = this.problemAt(index, list[index]);
      if (problem) return problem;
    }
    return null;
  }

  private problemInObject(object: object): AppError | null {
    for (const key of Object.keys(object)) {
      if (textProblem(key) !== null) return refused('has a key with NUL or broken Unicode in it');
      const problem = this.problemAt(key, (object as Record<string, unknown>)[key]);
      if (problem) return problem;
    }
    return null;
  }

  private problemAt(key: string | number, value: unknown): AppError | null {
    if (typeof value === 'string') {
      const problem = textProblem(value);
      return problem === null ? null : validationFailed([{ field: this.nameOf(key), problem }]);
    }
    if (typeof value !== 'object' || value === null) return null;
    this.path.push(key);
    const problem = this.problemIn(value);
    this.path.pop();
    return problem;
  }

  private nameOf(last: string | number): string {
    const steps = [...this.path, last].map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`));
    return steps.join('').slice(1, FIELD_LENGTH_MAX + 1);
  }
}

/** PostgreSQL stores no NUL, and half of a surrogate pair would be stored as something else than was sent. */
function textProblem(text: string): string | null {
  if (text.includes('\0')) return 'must not contain NUL';
  return text.isWellFormed() ? null : 'must be well-formed Unicode';
}

function refused(problem: string): AppError {
  return new AppError('VALIDATION_FAILED', `the body ${problem}`);
}
