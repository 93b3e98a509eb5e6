import {
  AppError,
  ConcurrencyLimit,
  heavyTurn,
  KeyedSemaphore,
  pauseUnless,
  shortTurn,
} from '@counterfoil/kernel';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Connections } from './connections';
import type { LoneCompany } from './lone-company';
import type { AuthenticatedRequest } from './route.decorators';

/** Reads of one company that are worked on at once, beside other companies. */
const READS_OF_COMPANY = 3;
/** The same where no other company calls. One of its connections to the database is left for its writes. */
const READS_ALONE = 4;
const WAITING_OF_COMPANY = 1_000;
const WAIT_MAX_MS = 10_000;

const MIB = 1024 * 1024;
/** Bytes of answers that were written and that their callers have not read yet: of all companies, and of one. */
const UNREAD_MAX = 128 * MIB;
const UNREAD_OF_COMPANY = 64 * MIB;
/** A smaller answer is not counted unless requests were sent ahead: together, their answers are large. */
const COUNTED_BYTES = 16 * 1024;

interface GatedRequest extends AuthenticatedRequest {
  leaveReads?: (() => void) | undefined;
  endUnread?: () => void;
}

/**
 * Keeps what a company reads from taking the process from the others. Its reads are worked on a few at a time, from the
 * first statement until the answer is written; an answer that takes milliseconds to write waits for a turn; and answers
 * that their callers leave unread take a bounded part of memory. Where one company calls alone, it reads more at once,
 * only the largest answers wait for a turn, and turns have no pauses between.
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
    // A route that finds its path naming nothing hands over to another, whose hooks run as well.
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
    const bytes = typeof payload === 'string' ? payload.length : 0;
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
      // Nothing tells any more of a connection that is broken already.
      if (raw.socket.destroyed) request.endUnread();
    }
    done(null, payload);
  });
  server.addHook('onResponse', (request: GatedRequest, _reply, done) => {
    request.endUnread?.();
    done();
  });
}

/** How long the event loop is busy with writing an answer: well under a millisecond, about one, or several. */
export type AnswerSize = 'small' | 'medium' | 'large';

/** Values of an answer, from which it is as large. */
const MEDIUM = 1_000;
const LARGE = 8_000;
/** This many characters of a text count as one more value. */
const CHARACTERS = 256;

/** Counts values as far as it needs to, some microseconds for each hundred. */
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
    /** The route takes as long as sending a file or reading a document, and has bounds of its own. */
    readonly boundsItself?: boolean;
  }
}

/** Our own part of an answer; what a caller takes to send its body comes on top. */
const WORK_MAX_MS = 13_000;
const RETRY_AFTER_SECONDS = 2;
const TOO_LATE =
  'no answer in time; what was asked for may be done all the same: send it again, with the same Idempotency-Key where the route takes one';

interface TimedRequest extends AuthenticatedRequest {
  workTimer?: NodeJS.Timeout;
  /** The time that is left, in milliseconds. */
  workLeftMs?: number;
  workSince?: number;
  /** An answer was given instead of the one that is still under way. */
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

/** The body is being read, which takes as long as its sender does. To be called behind all hooks that wait. */
export function restWhileReading(server: FastifyInstance): void {
  server.addHook('preParsing', (request: TimedRequest, _reply, payload, done) => {
    rest(request);
    done(null, payload);
  });
}

/** Whether nobody waits for the answer any more. */
export function isAbandoned(request: TimedRequest): boolean {
  return request.isGivenUp === true || request.raw.socket.destroyed;
}

function work(request: TimedRequest, reply: FastifyReply): void {
  // The hooks run twice where a route hands over to that of paths that name nothing.
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
  void reply.send(new AppError('UNAVAILABLE', TOO_LATE, { retryAfterSeconds: RETRY_AFTER_SECONDS }));
}
