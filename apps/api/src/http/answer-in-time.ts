import { AppError } from '@counterfoil/kernel';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { AuthenticatedRequest } from './authenticated-request';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route takes as long as a file is sent, or a document is read, and has bounds of its own. */
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
  /** An answer was given in place of the one that is still being worked on. */
  isGivenUp?: boolean;
}

/**
 * Answers `UNAVAILABLE` where our part of an answer takes longer than 13 s, whatever it waits for: a caller is answered
 * within 15 s though the database says nothing any more. The work itself is not broken off, but begins no further
 * statement outside of a transaction. To be called before any other hook waits.
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

/** Whether nobody waits for what is being worked on. */
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
