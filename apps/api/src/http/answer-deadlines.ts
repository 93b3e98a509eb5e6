import { UnavailableError } from '@counterfoil/kernel';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { AuthenticatedRequest } from './route.decorators';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route may take long, because it transfers a file or reads a document. It has limits of its own. */
    readonly boundsItself?: boolean;
  }
}

/** The time limit of our own work on an answer. The time in which the caller sends its body does not count. */
const WORK_MAX_MS = 13_000;
/** The interval at which the limit is enforced. One timer for all costs less than two timers for each request. */
const CHECK_MS = 250;
const RETRY_AFTER_SECONDS = 2;
const TOO_LATE =
  'the request took too long and may have taken effect; send it again, with the same Idempotency-Key if it had one';

interface TimedRequest extends AuthenticatedRequest {
  /** The rest of `WORK_MAX_MS`. */
  workLeftMs?: number;
  workSince?: number;
  /** The answer `UNAVAILABLE` was sent, and the real one will be discarded. */
  isGivenUp?: boolean;
}

/**
 * Answers `UNAVAILABLE` if our part of an answer takes longer than 13 s: a caller is answered within 15 s even if the
 * database is silent. The work itself continues, but starts no further statement outside of a transaction.
 */
export class AnswerDeadlines {
  /** The requests that wait for us. */
  private readonly working = new Map<TimedRequest, FastifyReply>();

  constructor(private readonly server: FastifyInstance) {}

  /** Starts the clock of each request. Call this before adding hooks that wait. */
  answerInTime(): void {
    const checking = setInterval(() => this.giveUpLate(), CHECK_MS).unref();
    this.server.addHook('onClose', (_instance, done) => {
      clearInterval(checking);
      done();
    });
    this.server.addHook('onRequest', (request: TimedRequest, reply, done) => {
      this.work(request, reply);
      done();
    });
    this.server.addHook('preValidation', (request: TimedRequest, reply, done) => {
      if (!request.routeOptions.config.boundsItself) this.work(request, reply);
      done();
    });
    this.server.addHook('onResponse', (request: TimedRequest, _reply, done) => {
      this.rest(request);
      done();
    });
  }

  /** Stops the clock while the body is read, because its sender sets the pace. Call this after adding hooks that wait. */
  restWhileReading(): void {
    this.server.addHook('preParsing', (request: TimedRequest, _reply, payload, done) => {
      this.rest(request);
      done(null, payload);
    });
  }

  private work(request: TimedRequest, reply: FastifyReply): void {
    request.workSince = performance.now();
    this.working.set(request, reply);
  }

  private rest(request: TimedRequest): void {
    this.working.delete(request);
    request.workLeftMs = Math.max(0, leftOf(request, performance.now()));
  }

  private giveUpLate(): void {
    const now = performance.now();
    for (const [request, reply] of this.working) {
      if (leftOf(request, now) > 0) continue;
      this.working.delete(request);
      giveUp(request, reply);
    }
  }
}

function leftOf({ workSince = 0, workLeftMs = WORK_MAX_MS }: TimedRequest, now: number): number {
  return workLeftMs - (now - workSince);
}

/** Whether the caller has hung up or was told that the request took too long. */
export function isAbandoned(request: TimedRequest): boolean {
  return request.isGivenUp === true || request.raw.socket.destroyed;
}

function giveUp(request: TimedRequest, reply: FastifyReply): void {
  if (reply.raw.headersSent) return;
  request.isGivenUp = true;
  void reply.send(new UnavailableError('slow', TOO_LATE, { retryAfterSeconds: RETRY_AFTER_SECONDS }));
}
