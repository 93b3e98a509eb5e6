import { AppError, ConcurrencyLimit, type Share } from '@counterfoil/kernel';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Connections } from './connections';
import { jsonLimitsOf } from './json-limits';
import { announcesBody, asksToContinue, UPLOAD_BYTES_MAX } from './read-body';
import { shareOf } from './request-share';
import type { AuthenticatedRequest } from './route.decorators';

/** A request whose body is read into memory. */
interface GatedRequest extends AuthenticatedRequest {
  bodyReservation?: BodyReservation;
  endReservation?: () => void;
}

/**
 * Reserves memory before a body is read, and only then sends `100 Continue` to a caller that waits for it. An upload is
 * not kept in memory and needs no reservation.
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
    const admit = (reservation: BodyReservation | null): void => {
      if (reservation) hold(request, connections, reservation);
      letSend(request, reply);
      done(null, payload);
    };
    const encoding = request.headers['content-encoding'] ?? 'identity';
    if (encoding.toLowerCase() !== 'identity') done(compressed());
    else if (request.routeOptions.config.upload) admit(null);
    else {
      const reservation = takeRoom(request, budget, connections);
      // Usually there is room, and the next hook runs at once.
      if (reservation instanceof BodyReservation) admit(reservation);
      else reservation.then(admit, done);
    }
  });
  server.addHook('onResponse', (request: GatedRequest, _reply, done) => {
    request.endReservation?.();
    done();
  });
}

/** Shrinks the reservation of a body without Content-Length, which is the limit of its route until it was read. */
export function settleRoom(request: GatedRequest, bytes: number): void {
  if (request.headers['content-length'] === undefined) request.bodyReservation?.shrinkTo(weightOf(bytes));
}

function takeRoom(
  request: GatedRequest,
  budget: BodyBudget,
  connections: Connections,
): BodyReservation | Promise<BodyReservation> {
  const { bytesMax } = jsonLimitsOf(request);
  const bytes = weightOf(Math.min(bytesMax, Number(request.headers['content-length'] ?? bytesMax)));
  const share = shareOf(request);
  const reservation = budget.tryTake(share, bytes);
  if (reservation) return reservation;
  // The request waits for us, so its connection must not be closed for another one meanwhile.
  const endKeep = connections.keep(request.raw.socket);
  return budget.wait(share, bytes).finally(endKeep);
}

function hold(request: GatedRequest, connections: Connections, reservation: BodyReservation): void {
  const { socket } = request.raw;
  const release = (): void => reservation.release();
  const letGo = connections.hold(socket, release);
  request.bodyReservation = reservation;
  request.endReservation = () => {
    letGo();
    release();
  };
  // The connection may have closed while the request waited.
  if (socket.destroyed) request.endReservation();
}

/** Without `100 Continue`, a body that is announced as too large is refused before its caller sends it. */
function letSend(request: GatedRequest, { raw }: FastifyReply): void {
  const { headers, routeOptions } = request;
  const bytesMax = routeOptions.config.upload ? UPLOAD_BYTES_MAX : jsonLimitsOf(request).bytesMax;
  if (asksToContinue(headers) && Number(headers['content-length'] ?? 0) <= bytesMax) raw.writeContinue();
}

function compressed(): AppError {
  return new AppError(
    'UNSUPPORTED_MEDIA_TYPE',
    'the body must not be compressed: send it without Content-Encoding',
  );
}

const MIB = 1024 * 1024;
/** Memory for bodies in one process, in bytes. One company alone can reserve at most half of it. */
const BYTES_MAX = 64 * MIB;
/** The maximum of waiting requests: of all companies, and of one. */
const WAITING_MAX = 1_000;
const WAITING_OF_COMPANY = 200;
const WAIT_MAX_MS = 2_000;

/** A larger body counts several times, because the values parsed from it use memory, too. */
const LARGE_BYTES = 256 * 1024;
const WEIGHT_OF_LARGE = 3;

/** The bytes of the budget that a body reserves. */
export const weightOf = (bytes: number): number => (bytes > LARGE_BYTES ? WEIGHT_OF_LARGE * bytes : bytes);

export interface BudgetLimits {
  readonly bytesMax: number;
  readonly waitMaxMs: number;
}

/** The reservation of one body. */
export class BodyReservation {
  /**
   * @param bytes the number of reserved bytes
   * @param giveBack returns this many of them to the budget, by default all that are left
   */
  constructor(
    private bytes: number,
    private readonly giveBack: (bytes?: number) => void,
  ) {}

  /** Returns the excess bytes to the budget. */
  shrinkTo(bytes: number): void {
    if (bytes >= this.bytes) return;
    this.giveBack(this.bytes - bytes);
    this.bytes = bytes;
  }

  release(): void {
    this.bytes = 0;
    this.giveBack();
  }
}

/**
 * Bounds the memory of bodies that are received and processed. A body reserves its whole length before it is read: with
 * gradual reservations, half-received bodies could block each other.
 */
export class BodyBudget {
  private readonly places: ConcurrencyLimit;
  private readonly seats: ConcurrencyLimit;
  /** Waiting requests by share, in order of arrival. */
  private readonly waiting = new Map<Share, Set<Waiting>>();

  constructor(private readonly limits: BudgetLimits = { bytesMax: BYTES_MAX, waitMaxMs: WAIT_MAX_MS }) {
    const { bytesMax } = limits;
    const what = 'request bodies';
    this.places = new ConcurrencyLimit({
      total: bytesMax,
      perCompany: bytesMax,
      dynamicThreshold: true,
      what,
    });
    this.seats = new ConcurrencyLimit({
      total: WAITING_MAX,
      perCompany: WAITING_OF_COMPANY,
      dynamicThreshold: true,
      what,
    });
  }

  /** Returns null if there is no room, or if earlier requests of the company wait. */
  tryTake(share: Share, bytes: number): BodyReservation | null {
    if (this.waiting.has(share) || !this.places.hasRoom(share, bytes)) return null;
    return this.reserve(share, bytes);
  }

  /** @throws AppError `UNAVAILABLE` if there is no room within `waitMaxMs`, or if too many requests wait */
  async wait(share: Share, bytes: number): Promise<BodyReservation> {
    const rise = this.seats.take(share);
    const queue = this.waiting.get(share) ?? new Set();
    this.waiting.set(share, queue);
    try {
      return await new Promise((resolve, reject) => {
        const admit = (reservation: BodyReservation): void => {
          clearTimeout(timer);
          resolve(reservation);
        };
        const waiting: Waiting = { bytes, admit };
        const timer = setTimeout(() => {
          this.leave(share, waiting);
          reject(this.places.refusal());
          // A smaller body behind it may fit.
          this.admitNext();
        }, this.limits.waitMaxMs);
        queue.add(waiting);
      });
    } finally {
      rise();
    }
  }

  private reserve(share: Share, bytes: number): BodyReservation {
    const leave = this.places.take(share, bytes);
    return new BodyReservation(bytes, (part) => {
      leave(part);
      this.admitNext();
    });
  }

  private admitNext(): void {
    for (const [share, queue] of this.waiting) {
      for (const waiting of queue) {
        if (!this.places.hasRoom(share, waiting.bytes)) break;
        this.leave(share, waiting);
        waiting.admit(this.reserve(share, waiting.bytes));
      }
    }
  }

  private leave(share: Share, waiting: Waiting): void {
    const queue = this.waiting.get(share);
    queue?.delete(waiting);
    if (queue?.size === 0) this.waiting.delete(share);
  }
}

interface Waiting {
  readonly bytes: number;
  readonly admit: (reservation: BodyReservation) => void;
}
