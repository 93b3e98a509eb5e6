import { currentRequest, KeyedSemaphore, isInsideTransaction, type Share } from '@counterfoil/kernel';
import pg from 'pg';
import { measurePool, type PoolState } from './metrics';

/** Connections of one process. */
export const POOL_SIZE = 20;
/** A statement that waits longer for a connection fails with `UNAVAILABLE`. */
export const CONNECT_TIMEOUT_MS = 10_000;
/**
 * Connections that all requests together may use. The rest is reserved for key lookups, health checks and
 * jobs.
 */
export const REQUESTS_MAX = 16;
/**
 * Connections that each share, such as a company, may use at once: one more than its concurrent transactions.
 */
export const COMPANY_MAX = 5;
/** Statements of one share that may wait at once. */
const COMPANY_WAITING_MAX = 1_000;

/** The message of the driver, which `isDatabaseUnavailable` knows. */
const CONNECT_TIMEOUT = 'timeout exceeded when trying to connect';

type Connected = Parameters<pg.Pool['connect']>[0];
type Release = Parameters<Connected>[2];

/**
 * A connection pool that divides its connections among companies. A statement of a request first takes a slot
 * of its company. When slots are scarce, waiting companies get them in turn. Work of the service itself needs
 * no slot, and always finds a free connection.
 */
class FairPool extends pg.Pool {
  private readonly slots = new KeyedSemaphore<Share>({
    openMax: COMPANY_MAX,
    openInAllMax: REQUESTS_MAX,
    waitingMax: COMPANY_WAITING_MAX,
    waitMaxMs: CONNECT_TIMEOUT_MS,
    message: 'the database is busy; try again',
  });

  constructor(options?: pg.PoolConfig) {
    super(options);
    measurePool(() => this.state());
  }

  private state(): PoolState {
    const { idleCount: idle, totalCount, waitingCount } = this;
    return { idle, used: totalCount - idle, waiting: waitingCount + this.slots.waiting };
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(connected: Connected): void;
  override connect(connected?: Connected): Promise<pg.PoolClient> | void {
    if (connected) return this.connectInTurn(connected);
    return new Promise((resolve, reject) => {
      this.connectInTurn((error, client) =>
        client ? resolve(client) : reject(error ?? new Error('no client')),
      );
    });
  }

  private connectInTurn(connected: Connected): void {
    const request = currentRequest();
    if (!request) return super.connect(connected);
    const { share, isAbandoned } = request;
    if (this.slots.tryEnter(share)) return this.connectInPlace(share, connected);
    // A transaction may belong to work that must be finished although its caller has hung up.
    const entered = this.slots.enter(share, isInsideTransaction() ? undefined : isAbandoned);
    const inTime = answeredInTime(connected);
    entered.then(
      () => this.connectInPlace(share, inTime),
      (error: Error) => inTime(error, undefined, () => undefined),
    );
  }

  /** Connects for a caller that holds a slot, and frees the slot with the connection. */
  private connectInPlace(share: Share, connected: Connected): void {
    super.connect((error, client, release) => {
      if (!client) {
        this.slots.leave(share);
        return connected(error, client, release);
      }
      const releaseBoth: Release = (destroy) => {
        release(destroy);
        this.slots.leave(share);
      };
      client.release = releaseBoth;
      connected(error, client, releaseBoth);
    });
  }
}

/**
 * Bounds the wait for a slot and the wait for a connection together. Each has the same limit, so that a caller that
 * got its slot late would otherwise wait for up to twice that. A connection that arrives too late goes back to the
 * pool; until then it keeps its slot, so that no share exceeds its connections.
 */
function answeredInTime(connected: Connected): Connected {
  let isLate = false;
  const limit = setTimeout(() => {
    isLate = true;
    connected(new Error(CONNECT_TIMEOUT), undefined, () => undefined);
  }, CONNECT_TIMEOUT_MS);
  return (error, client, release) => {
    clearTimeout(limit);
    if (!isLate) connected(error, client, release);
    else if (client) release();
  };
}

/** The driver for TypeORM's option `driver`. */
export const fairDriver = { ...pg, Pool: FairPool };
