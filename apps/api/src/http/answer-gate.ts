import { ConcurrencyLimit, heavyTurn, KeyedSemaphore, pauseUnless, shortTurn } from '@counterfoil/kernel';
import type { FastifyInstance } from 'fastify';
import { isAbandoned } from './answer-deadlines';
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
