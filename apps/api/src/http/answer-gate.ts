import { Gates, heavyTurn, pauseUnless, Places, shortTurn } from '@counterfoil/kernel';
import type { FastifyInstance } from 'fastify';
import { isAbandoned } from './answer-in-time';
import { answerSize } from './answer-size';
import type { AuthenticatedRequest } from './authenticated-request';
import type { Connections } from './connections';
import { LoneCompany } from './lone-company';

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
export function gateAnswers(server: FastifyInstance, connections: Connections): void {
  const lone = new LoneCompany();
  pauseUnless(() => lone.isAlone());
  const reads = new Gates<number>({
    get openMax() {
      return lone.isAlone() ? READS_ALONE : READS_OF_COMPANY;
    },
    waitingMax: WAITING_OF_COMPANY,
    waitMaxMs: WAIT_MAX_MS,
    message: 'too many reads of this company are under way; try again',
  });
  const unread = new Places({
    ...{ inAll: UNREAD_MAX, ofCompany: UNREAD_OF_COMPANY, leavesRoom: true },
    what: 'large answers',
  });
  server.addHook('preHandler', (request: GatedRequest, _reply, done) => {
    const { caller, method, routeOptions } = request;
    if (caller) lone.note(caller.companyId);
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
