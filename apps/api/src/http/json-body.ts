import type { IncomingMessage } from 'node:http';
import { AppError, heavyTurn, validationFailed } from '@counterfoil/kernel';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parse as parseSecurely } from 'secure-json-parse';
import { settleRoom } from './body-gate';
import type { Connections } from './connections';
import { fieldPath } from './field-path';
import { jsonLimitsOf, limitRoutes } from './json-limits';
import { exceededBoundInPieces, type JsonBounds, notJson, parsedInPieces } from './json-pieces';
import { readBody } from './read-body';
import type { AuthenticatedRequest } from './route.decorators';

/** The message for a body that is not JSON. */
export const NOT_JSON = 'the body must be JSON, sent with Content-Type: application/json';
/** More levels than any body of the API has, and far fewer than would exhaust the stack of recursive code. */
const DEPTH_MAX = 20;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Accepts only JSON bodies, except on upload routes. Refuses a body that is too large, too deep, not UTF-8, or has
 * text that cannot be stored, before any handler sees it.
 */
export function acceptOnlyJson(server: FastifyInstance, connections: Connections): void {
  limitRoutes(server);
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('multipart/form-data', (request, _body, done) => {
    // Upload routes read the body themselves.
    done(request.routeOptions.config.upload ? null : new AppError('UNSUPPORTED_MEDIA_TYPE', NOT_JSON));
  });
  server.addContentTypeParser(
    'application/json',
    (request: FastifyRequest, raw: IncomingMessage, done: Done) => {
      const { bytesMax, valuesMax } = jsonLimitsOf(request);
      readBody(raw, bytesMax, (fault, read) => {
        if (fault) return done(fault);
        connections.arrived(raw.socket);
        settleRoom(request, read.length);
        takeBody(request, read, { valuesMax, depthMax: DEPTH_MAX }, done);
      });
    },
  );
}

type Done = (error: Error | null, body?: unknown) => void;

/**
 * Parses a body in steps, each in a turn of the event loop. Passes every error to `done`, bugs included, because
 * nothing else would catch it.
 */
function takeBody(request: FastifyRequest, bytes: Buffer, bounds: JsonBounds, done: Done): void {
  const steps = takenBody(bytes, bounds);
  const step = (): void => {
    let taken: IteratorResult<void, unknown>;
    try {
      taken = steps.next();
    } catch (error) {
      return done(error as Error);
    }
    if (taken.done) done(null, taken.value);
    else inTurn(request, bytes.length, step, done);
  };
  inTurn(request, bytes.length, step, done);
}

/** @returns the body, or undefined if it is empty: some clients send Content-Type with every request */
function* takenBody(bytes: Buffer, bounds: JsonBounds): Generator<void, unknown> {
  const json = withoutMark(bytes);
  if (json.length === 0) return undefined;
  yield* assertWithin(json, bounds);
  if (bytes.length > LARGE_BYTES) yield;
  const parser = new TextParser();
  const body = yield* parsedInPieces(json, parser.parse);
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw refused('must be a JSON object');
  const problem = parser.hasUnstorable ? new BodyWalk().problemIn(body) : null;
  if (problem) throw problem;
  return body;
}

/** The byte order mark, with which some programs begin a text. */
const MARK = Buffer.from('\ufeff');

const withoutMark = (bytes: Buffer): Buffer =>
  bytes.subarray(0, MARK.length).equals(MARK) ? bytes.subarray(MARK.length) : bytes;

class TextParser {
  /** Whether a text that cannot be stored was found. */
  hasUnstorable = false;

  readonly parse = (bytes: Uint8Array): unknown => {
    const text = decode(bytes);
    const value = parseJson(text);
    // Only an escape can produce such a text: JSON allows no raw NUL, and UTF-8 no lone surrogate.
    if (text.includes('\\u') && typeof value === 'object' && value !== null)
      this.hasUnstorable ||= new BodyWalk().problemIn(value) !== null;
    return value;
  };
}

/** Refuses keys that would change the prototype of an object. */
function parseJson(text: string): unknown {
  try {
    return parseSecurely(text, { protoAction: 'error', constructorAction: 'error' });
  } catch (error) {
    throw notJson(error);
  }
}

function* assertWithin(bytes: Buffer, bounds: JsonBounds): Generator<void, void> {
  const exceeded = yield* exceededBoundInPieces(bytes, bounds);
  if (exceeded === 'valuesMax') throw refused(`holds more than ${bounds.valuesMax} values`);
  if (exceeded === 'depthMax') throw refused(`is nested deeper than ${bounds.depthMax} levels`);
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw refused('must be UTF-8');
  }
}

/**
 * Walks a whole body and stops at the first text that cannot be stored. The depth is already bounded, so the walk
 * cannot exhaust the stack. The position of a value is computed only for an error, because a body may hold a million.
 */
class BodyWalk {
  /** The keys that lead to the current value. */
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
      if (textProblem(key) !== null) return refused('has a key that contains NUL or malformed Unicode');
      const problem = this.problemAt(key, (object as Record<string, unknown>)[key]);
      if (problem) return problem;
    }
    return null;
  }

  private problemAt(key: string | number, value: unknown): AppError | null {
    if (typeof value === 'string') {
      const problem = textProblem(value);
      return problem === null ? null : validationFailed([{ field: fieldPath([...this.path, key]), problem }]);
    }
    if (typeof value !== 'object' || value === null) return null;
    this.path.push(key);
    const problem = this.problemIn(value);
    this.path.pop();
    return problem;
  }
}

/** PostgreSQL cannot store NUL, and would store another character in place of a lone surrogate. */
function textProblem(text: string): string | null {
  if (text.includes('\0')) return 'must not contain NUL';
  return text.isWellFormed() ? null : 'must be well-formed Unicode';
}

function refused(problem: string): AppError {
  return new AppError('VALIDATION_FAILED', `the body ${problem}`);
}

/** Parsing and checking a larger body blocks the event loop for milliseconds. */
export const LARGE_BYTES = 16 * 1024;

/**
 * Calls `work` at once for a small body. A large one waits for a turn of its company, so that small requests are served
 * between large bodies, however many of them a company sends.
 *
 * @param refuse called with AppError `UNAVAILABLE` when the turn does not come in time
 */
export function inTurn(
  { caller, raw }: AuthenticatedRequest,
  bytes: number,
  work: () => void,
  refuse: (error: Error) => void,
): void {
  if (bytes <= LARGE_BYTES) return work();
  const { socket } = raw;
  heavyTurn(caller?.companyId ?? null, () => socket.destroyed).then(work, refuse);
}
