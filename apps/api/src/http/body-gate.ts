import { AppError } from '@counterfoil/kernel';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { AuthenticatedRequest } from './authenticated-request';
import { BodyBudget, type BodyLease, STRANGERS, weightOf } from './body-budget';
import type { Connections } from './connections';
import { jsonLimitsOf } from './json-limits';
import { announcesBody, asksToContinue } from './unread-body';

/** A request whose body is read into memory. */
interface GatedRequest extends AuthenticatedRequest {
  bodyLease?: BodyLease;
  endLease?: () => void;
}

/**
 * Asks for room before a body is read into memory, and only then tells a caller who asked that it may send. An upload is
 * not kept in memory and needs no room.
 */
export function gateBodies(
  server: FastifyInstance,
  connections: Connections,
  budget: BodyBudget = new BodyBudget(),
): void {
  server.addHook('preParsing', (request: GatedRequest, reply, payload, done) => {
    if (!announcesBody(request.headers) || request.method === 'GET' || request.method === 'HEAD') {
      done(null, payload);
      return;
    }
    const admit = (lease: BodyLease | null): void => {
      if (lease) hold(request, connections, lease);
      letSend(request, reply);
      done(null, payload);
    };
    const encoding = request.headers['content-encoding'] ?? 'identity';
    if (encoding.toLowerCase() !== 'identity') done(compressed());
    else if (request.routeOptions.config.upload) admit(null);
    else takeRoom(request, budget, admit, done);
  });
  server.addHook('onResponse', (request: GatedRequest, _reply, done) => {
    request.endLease?.();
    done();
  });
}

/** A body of unknown length may become as large as the route takes, until it has been read. */
export function settleRoom(request: GatedRequest, bytes: number): void {
  if (request.headers['content-length'] === undefined) request.bodyLease?.shrinkTo(weightOf(bytes));
}

function takeRoom(
  request: GatedRequest,
  budget: BodyBudget,
  admit: (lease: BodyLease) => void,
  refuse: (error: Error) => void,
): void {
  const { bytesMax } = jsonLimitsOf(request);
  const bytes = weightOf(Math.min(bytesMax, Number(request.headers['content-length'] ?? bytesMax)));
  const companyId = request.caller?.companyId ?? STRANGERS;
  const lease = budget.tryTake(companyId, bytes);
  if (lease) admit(lease);
  else budget.wait(companyId, bytes).then(admit, refuse);
}

function hold(request: GatedRequest, connections: Connections, lease: BodyLease): void {
  const { socket } = request.raw;
  const release = (): void => lease.release();
  const letGo = connections.hold(socket, release);
  request.bodyLease = lease;
  request.endLease = () => {
    letGo();
    release();
  };
  // It may have broken while there was no room.
  if (socket.destroyed) request.endLease();
}

function letSend({ headers }: GatedRequest, { raw }: FastifyReply): void {
  if (asksToContinue(headers)) raw.writeContinue();
}

function compressed(): AppError {
  return new AppError(
    'UNSUPPORTED_MEDIA_TYPE',
    'the body must not be compressed: send it without Content-Encoding',
  );
}
