import {
  ConcurrencyLimit,
  heavyTurn,
  KeyedSemaphore,
  pauseUnless,
  shortTurn,
  UnavailableError,
} from '@counterfoil/kernel';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Connections } from './connections';
import type { LoneCompany } from './lone-company';
import type { AuthenticatedRequest } from './route.decorators';

/** Concurrent reads of one company while other companies call, too. */
const READS_OF_COMPANY = 3;
/** Concurrent reads of a company that calls alone. This leaves one of its database connections to its writes. */
const READS_ALONE = 4;
const WAITING_OF_COMPANY = 1_000;
const WAIT_MAX_MS = 10_000;

const MIB = 1024 * 1024;
/** Bytes of answers that were written but not yet read by their callers: of all companies, and of one. */
const UNREAD_MAX = 128 * MIB;
const UNREAD_OF_COMPANY = 64 * MIB;
/** Smaller answers are counted only on pipelined connections, where many of them add up. */
const COUNTED_BYTES = 16 * 1024;

interface GatedRequest extends AuthenticatedRequest {
  leaveReads?: (() => void) | undefined;
  endUnread?: () => void;
}

/**
 * Keeps the reads of one company from starving the others:
 *
 * - A company has a few concurrent reads, each from its first statement until its answer is written.
 * - An answer that takes milliseconds to serialize waits for a turn of the event loop.
 * - Answers that callers have not read yet take a bounded part of memory.
 *
 * A company that calls alone has more concurrent reads, only its largest answers wait for a turn, and turns have no
 * pauses in between.
 */
export function gateAnswers(server: FastifyInstance, connections: Connections, lone: LoneCompany): void {
  pauseUnless(() => lone.isAlone());
  const reads = new KeyedSemaphore<number>({
    get openMax() {
      return lone.isAlone() ? READS_ALONE : READS_OF_COMPANY;
    },
    waitingMax: WAITING_OF_COMPANY,
    waitMaxMs: WAIT_MAX_MS,
    message: 'too many reads of this company are under way; try again',
  });
  const unread = new ConcurrencyLimit({
    ...{ total: UNREAD_MAX, perCompany: UNREAD_OF_COMPANY, dynamicThreshold: true },
    what: 'large answers',
  });
  server.addHook('preHandler', (request: GatedRequest, _reply, done) => {
    const { caller, method, routeOptions } = request;
    if (!caller || (method !== 'GET' && method !== 'HEAD') || routeOptions.config.boundsItself) return done();
    // The not-found handler of Fastify runs the hooks a second time.
    if (request.leaveReads) return done();
    const { companyId } = caller;
    reads
      .enter(companyId, () => isAbandoned(request))
      .then(() => {
        request.leaveReads = () => {
          request.leaveReads = undefined;
          reads.leave(companyId);
        };
        done();
      }, done);
  });
  server.addHook('preSerialization', (request: GatedRequest, _reply, answer: unknown, done) => {
    const size = answerSize(answer);
    if (size === 'small' || (size === 'medium' && lone.isAlone())) return done(null, answer);
    const turn = size === 'large' ? heavyTurn : shortTurn;
    turn(request.caller?.companyId ?? null, () => isAbandoned(request)).then(() => done(null, answer), done);
  });
  server.addHook('onSend', (request: GatedRequest, reply, payload, done) => {
    request.leaveReads?.();
    const { caller, raw } = request;
    const bytes = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0;
    const isCounted =
      bytes >= COUNTED_BYTES || (reply.statusCode < 400 && connections.hasSentAhead(raw.socket));
    if (caller && isCounted) {
      if (!unread.hasRoom(caller.companyId, bytes)) return done(unread.refusal());
      const leave = unread.take(caller.companyId, bytes);
      const letGo = connections.hold(raw.socket, leave);
      request.endUnread = () => {
        letGo();
        leave();
      };
      // A connection that is already closed emits no further event.
      if (raw.socket.destroyed) request.endUnread();
    }
    done(null, payload);
  });
  server.addHook('onResponse', (request: GatedRequest, _reply, done) => {
    request.endUnread?.();
    done();
  });
}

/** How long serializing an answer blocks the event loop: well under a millisecond, about one, or several. */
export type AnswerSize = 'small' | 'medium' | 'large';

/** The number of values from which an answer counts as medium or large. */
const MEDIUM = 1_000;
const LARGE = 8_000;
/** This many characters of a text count as one more value. */
const CHARACTERS = 256;

/** Counts the values of an answer, at most `LARGE` of them. A hundred values take some microseconds. */
export function answerSize(answer: unknown): AnswerSize {
  const counted = LARGE - left(answer, LARGE);
  if (counted >= LARGE) return 'large';
  return counted >= MEDIUM ? 'medium' : 'small';
}

/** Subtracts the values inside `value` from `values`, down to zero. */
function left(value: unknown, values: number): number {
  if (typeof value === 'string') return Math.max(0, values - 1 - Math.floor(value.length / CHARACTERS));
  if (typeof value !== 'object' || value === null) return Math.max(0, values - 1);
  let rest = values - 1;
  for (const name in value) {
    if (rest <= 0) return 0;
    rest = left((value as Record<string, unknown>)[name], rest);
  }
  return Math.max(0, rest);
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route may take long, because it transfers a file or reads a document. It has limits of its own. */
    readonly boundsItself?: boolean;
  }
}

/** The time limit of our own work on an answer. The time in which the caller sends its body does not count. */
const WORK_MAX_MS = 13_000;
const RETRY_AFTER_SECONDS = 2;
const TOO_LATE =
  'the request took too long and may have taken effect; send it again, with the same Idempotency-Key if it had one';

interface TimedRequest extends AuthenticatedRequest {
  workTimer?: NodeJS.Timeout;
  /** The rest of `WORK_MAX_MS`. */
  workLeftMs?: number;
  workSince?: number;
  /** The answer `UNAVAILABLE` was sent, and the real one will be discarded. */
  isGivenUp?: boolean;
}

/**
 * Answers `UNAVAILABLE` if our part of an answer takes longer than 13 s: a caller is answered within 15 s even if the
 * database is silent. The work itself continues, but starts no further statement outside of a transaction. Call this
 * before adding hooks that wait.
 */
export function answerInTime(server: FastifyInstance): void {
  server.addHook('onRequest', (request: TimedRequest, reply, done) => {
    work(request, reply);
    done();
  });
  server.addHook('preValidation', (request: TimedRequest, reply, done) => {
    if (!request.routeOptions.config.boundsItself) work(request, reply);
    done();
  });
  server.addHook('onResponse', (request: TimedRequest, _reply, done) => {
    rest(request);
    done();
  });
}

/** Stops the clock while the body is read, because its sender sets the pace. Call this after adding hooks that wait. */
export function restWhileReading(server: FastifyInstance): void {
  server.addHook('preParsing', (request: TimedRequest, _reply, payload, done) => {
    rest(request);
    done(null, payload);
  });
}

/** Whether the caller has hung up or was told that the request took too long. */
export function isAbandoned(request: TimedRequest): boolean {
  return request.isGivenUp === true || request.raw.socket.destroyed;
}

function work(request: TimedRequest, reply: FastifyReply): void {
  // The not-found handler of Fastify runs the hooks a second time.
  clearTimeout(request.workTimer);
  request.workSince = performance.now();
  request.workTimer = setTimeout(() => giveUp(request, reply), request.workLeftMs ?? WORK_MAX_MS);
}

function rest(request: TimedRequest): void {
  clearTimeout(request.workTimer);
  const { workSince = 0, workLeftMs = WORK_MAX_MS } = request;
  request.workLeftMs = Math.max(0, workLeftMs - (performance.now() - workSince));
}

function giveUp(request: TimedRequest, reply: FastifyReply): void {
  if (reply.raw.headersSent) return;
  request.isGivenUp = true;
  void reply.send(new UnavailableError('slow', TOO_LATE, { retryAfterSeconds: RETRY_AFTER_SECONDS }));
}
