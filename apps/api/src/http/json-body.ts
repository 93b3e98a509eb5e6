import { AppError, validationFailed } from '@counterfoil/kernel';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** What a JSON body may hold. */
export interface JsonLimits {
  /** More is refused while it arrives. */
  readonly bytesMax: number;
  /** Entries of lists and fields of objects, wherever they are. */
  readonly valuesMax: number;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Of one route, in place of `JSON_LIMITS`. */
    readonly json?: JsonLimits;
  }
}

/**
 * For every route that says nothing else (decisions §2): more than any body of ours holds, and few enough that checking
 * the values one by one keeps nobody waiting.
 */
export const JSON_LIMITS: JsonLimits = { bytesMax: 1024 * 1024, valuesMax: 10_000 };
/** What is told of a body that is not JSON. */
export const NOT_JSON = 'the body must be JSON, sent with Content-Type: application/json';
/** Deeper than any body of ours; far from what makes recursive code run out of stack. */
const DEPTH_MAX = 20;
/** A path made of the caller's own keys is named no longer than this. */
const FIELD_LENGTH_MAX = 200;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Makes JSON the only body there is, but for uploads, and refuses what would be trouble later, before anything looks at it. */
export function acceptOnlyJson(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error');
  server.addHook('onRoute', (route) => {
    if (route.config?.json) route.bodyLimit = route.config.json.bytesMax;
  });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('multipart/form-data', (request, _body, done) => {
    // What takes an upload reads it by itself.
    done(request.routeOptions.config.upload ? null : new AppError('UNSUPPORTED_MEDIA_TYPE', NOT_JSON));
  });
  server.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: JSON_LIMITS.bytesMax },
    (request: FastifyRequest, bytes: Buffer, done: (error: Error | null, body?: unknown) => void) => {
      const text = decode(bytes);
      if (text === null) return done(new AppError('VALIDATION_FAILED', 'the body must be UTF-8'));
      // An empty body is no body: some clients send the header with every request.
      if (text === '') return done(null, undefined);
      void parse(request, text, (error: Error | null, body: unknown) => {
        if (error)
          return done(new AppError('VALIDATION_FAILED', 'the body is not valid JSON', { cause: error }));
        const { valuesMax } = request.routeOptions.config.json ?? JSON_LIMITS;
        done(problemOf(body, valuesMax), body);
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

function problemOf(body: unknown, valuesMax: number): AppError | null {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return refused('must be a JSON object');
  }
  return new BodyWalk(valuesMax).problemIn(body);
}

/**
 * Walks a whole body and stops at the first thing that is wrong. No deeper than a body may be, so that it cannot run out
 * of stack; and where a value stands is told only when it is wrong, since a body may hold a million.
 */
class BodyWalk {
  private values = 0;
  /** The keys that lead to where the walk is. */
  private readonly path: (string | number)[] = [];

  constructor(private readonly valuesMax: number) {}

  problemIn(value: object): AppError | null {
    if (this.path.length >= DEPTH_MAX) return refused(`is nested deeper than ${DEPTH_MAX}`);
    return Array.isArray(value) ? this.problemInList(value) : this.problemInObject(value);
  }

  private problemInList(list: readonly unknown[]): AppError | null {
    const tooMany = this.count(list.length);
    if (tooMany) return tooMany;
    for (let index = 0; index < list.length; index++) {
      const problem = this.problemAt(index, list[index]);
      if (problem) return problem;
    }
    return null;
  }

  private problemInObject(object: object): AppError | null {
    const keys = Object.keys(object);
    const tooMany = this.count(keys.length);
    if (tooMany) return tooMany;
    for (const key of keys) {
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

  private count(values: number): AppError | null {
    this.values += values;
    return this.values > this.valuesMax ? refused(`holds more than ${this.valuesMax} values`) : null;
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
