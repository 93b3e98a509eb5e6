import { currentRequest, Gates, isInsideTransaction, type Share } from '@counterfoil/kernel';
import pg from 'pg';

/** Connections of one process. */
export const POOL_SIZE = 20;
/** How long a statement waits for a connection, before its caller is told to try again. */
export const CONNECT_TIMEOUT_MS = 10_000;
/** Connections that requests may use together. The others are kept for key look-ups, health checks and jobs. */
export const REQUESTS_MAX = 16;
/** Connections that the requests of one company, or of one way without a key, may use at once: one more than it may have transactions open. */
export const COMPANY_MAX = 5;
/** Statements of one company that may wait at once. */
const COMPANY_WAITING_MAX = 1_000;

type Connected = Parameters<pg.Pool['connect']>[0];
type Release = Parameters<Connected>[2];

/**
 * A connection pool that deals its connections by company. A statement that is sent for a request first takes one of its
 * company's places; when places are short, the companies that wait get them in turn. Work of the service itself takes no
 * place, and finds a connection free whatever the requests do.
 */
class FairPool extends pg.Pool {
  private readonly places = new Gates<Share>({
    openMax: COMPANY_MAX,
    openInAllMax: REQUESTS_MAX,
    waitingMax: COMPANY_WAITING_MAX,
    waitMaxMs: CONNECT_TIMEOUT_MS,
    message: 'the database is busy; try again',
  });

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
    if (this.places.tryEnter(share)) return this.connectInPlace(share, connected);
    // A transaction may belong to work that is to be finished though its caller has gone.
    this.places.enter(share, isInsideTransaction() ? undefined : isAbandoned).then(
      () => this.connectInPlace(share, connected),
      (error: Error) => connected(error, undefined, () => undefined),
    );
  }

  /** Connects for a caller that has taken a place, and gives the place back with the connection. */
  private connectInPlace(share: Share, connected: Connected): void {
    super.connect((error, client, release) => {
      if (!client) {
        this.places.leave(share);
        return connected(error, client, release);
      }
      const releaseBoth: Release = (destroy) => {
        release(destroy);
        this.places.leave(share);
      };
      client.release = releaseBoth;
      connected(error, client, releaseBoth);
    });
  }
}

/** The driver as TypeORM is given it. */
export const fairDriver = { ...pg, Pool: FairPool };
