import type { FastifyInstance } from 'fastify';
import { Admissions } from './admissions';
import type { Admission, Arrival } from './company-admissions';
import type { Connections } from './connections';
import { jsonLimitsOf } from './json-limits';
import type { LoneCompany } from './lone-company';
import { shareOf } from './request-share';
import type { AuthenticatedRequest } from './route.decorators';

const SAMPLE_MS = 50;

interface GatedRequest extends AuthenticatedRequest {
  admission?: Admission;
  /** Gives back the slot of the request at the gate, or ends its wait for one. */
  leaveAdmissions?: () => void;
}

/**
 * Delays requests at the gate while their company, or the links to files, crowd the event loop. Call this after the hook
 * that authorizes, and before those that read bodies.
 *
 * @param busyShare returns the share of the time since its last call in which the event loop was busy
 */
export function gateAdmissions(
  server: FastifyInstance,
  connections: Connections,
  lone: LoneCompany,
  busyShare: () => number = eventLoopShare(),
): void {
  const admissions = new Admissions();
  let sampling: NodeJS.Timeout | undefined;
  const stop = (): void => {
    clearInterval(sampling);
    sampling = undefined;
  };
  const sample = (): void => {
    const share = busyShare();
    admissions.adapt(lone.isAlone() ? 0 : share);
    // A timer costs a quarter of a per cent of a processor, while nobody calls.
    if (admissions.areIdle) stop();
  };
  server.addHook('onClose', (_instance, done) => {
    stop();
    done();
  });
  server.addHook('onRequest', (request: GatedRequest, _reply, done) => {
    const { caller } = request;
    const share = shareOf(request);
    // The not-found handler of Fastify runs the hooks a second time.
    if (share === 'strangers' || request.admission) return done();
    if (caller) lone.note(caller.companyId);
    if (!sampling) {
      busyShare();
      sampling = setInterval(sample, SAMPLE_MS).unref();
    }
    const admission = admissions.enter(share, arrivalOf(request));
    admit(request, admission, connections).then(() => done(), done);
  });
  // Leave before the answer is sent: a slow reader causes no load. A request refused while it waits leaves, too.
  server.addHook('onSend', (request: GatedRequest, _reply, payload, done) => {
    if (typeof payload === 'string') request.admission?.charge(payload.length);
    request.leaveAdmissions?.();
    done(null, payload);
  });
}

async function admit(request: GatedRequest, admission: Admission, connections: Connections): Promise<void> {
  const { socket } = request.raw;
  const letGo = connections.hold(socket, admission.leave);
  request.admission = admission;
  request.leaveAdmissions = () => {
    letGo();
    admission.leave();
  };
  // The connection may have closed while the key was looked up.
  if (socket.destroyed) request.leaveAdmissions();
  if (admission.wait === null) return;
  connections.recognise(socket);
  const resume = connections.keep(socket);
  await admission.wait;
  resume();
}

function arrivalOf(request: GatedRequest): Arrival {
  const { config } = request.routeOptions;
  const announced = Number(request.headers['content-length'] ?? 0);
  return {
    isLong: config.boundsItself === true,
    bytes: config.upload ? 0 : Math.min(announced, jsonLimitsOf(request).bytesMax),
  };
}

function eventLoopShare(): () => number {
  let last = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    return utilization;
  };
}
