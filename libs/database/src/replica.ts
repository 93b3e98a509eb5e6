import {
  currentRequest,
  KeyedSemaphore,
  outsideRequests,
  RequestCoalescer,
  type Share,
} from '@counterfoil/kernel';
import { setTimeout as sleep } from 'node:timers/promises';
import pg, { type Pool, type PoolClient } from 'pg';
import { isDatabaseUnavailable } from './database-errors';
import { COMPANY_MAX, REQUESTS_MAX } from './fair-pool';
import { replicaReadsTotal } from './metrics';
import { HAS_REACHED, READ_POSITION } from './replica.sql';
import { type Statements, StatementsOn } from './statements';

/** A read waits this long for a replica that is behind. */
const BEHIND_MAX_MS = 50;
const LOOK_EVERY_MS = 2;
/** The next question for the position begins when the current one has ended, or after this time. */
const POSITION_PATIENCE_MS = 1_000;
/** How long reads go to the primary at once, because they would wait in vain. */
const PAUSE_MS = { behind: 250, unavailable: 5_000 } as const;

type Position = (typeof READ_POSITION)['types']['row'];
/** The reason why the primary answers. */
type Reason = 'behind' | 'unavailable' | 'busy' | 'slow';
type Found<T> = { readonly result: T } | Reason;

/**
 * Reads from a standby, and never less than the primary had committed when the read was asked for: the read learns the
 * position of the primary in the write-ahead log, and the standby must have applied the log up to there. Otherwise the
 * primary answers. A read never fails because of the standby, and never waits for a place at it.
 */
export class Replica {
  private readonly positions: RequestCoalescer<null, Position>;
  private readonly places = new KeyedSemaphore<Share | 'service'>({
    openMax: COMPANY_MAX,
    openInAllMax: REQUESTS_MAX,
    waitMaxMs: 0,
    message: 'the replica is busy',
  });
  private pause: { readonly until: number; readonly reason: Reason } = { until: 0, reason: 'behind' };

  constructor(
    private readonly pool: Pool,
    private readonly primary: Statements,
  ) {
    // A call that arrives while a position is being read waits for the next one, which is not older than the call. The
    // position is for all companies, so it belongs to the share and the trace of none.
    this.positions = new RequestCoalescer(
      (calls) =>
        outsideRequests(async () => {
          const position = await primary.only(READ_POSITION, {});
          return calls.map(() => position);
        }),
      POSITION_PATIENCE_MS,
    );
  }

  /** @param work may run a second time, on the primary */
  async read<T>(work: (statements: Statements) => Promise<T>): Promise<T> {
    const found = this.reasonToPause() ?? (await this.readInPlace(work));
    replicaReadsTotal.inc({ outcome: typeof found === 'string' ? found : 'replica' });
    return typeof found === 'string' ? work(this.primary) : found.result;
  }

  private reasonToPause(): Reason | null {
    return performance.now() < this.pause.until ? this.pause.reason : null;
  }

  private pauseFor(reason: keyof typeof PAUSE_MS): Reason {
    this.pause = { until: performance.now() + PAUSE_MS[reason], reason };
    return reason;
  }

  private async readInPlace<T>(work: (statements: Statements) => Promise<T>): Promise<Found<T>> {
    const share = currentRequest()?.share ?? 'service';
    if (!this.places.tryEnter(share)) return 'busy';
    try {
      const position = await this.positions.submit(null);
      const client = await this.pool.connect().catch(() => null);
      return client ? await this.readOn(client, position, work) : this.pauseFor('unavailable');
    } finally {
      this.places.leave(share);
    }
  }

  /** Looks and reads on one connection, because the URL may lead to several standbys. */
  private async readOn<T>(
    client: PoolClient,
    position: Position,
    work: (statements: Statements) => Promise<T>,
  ): Promise<Found<T>> {
    const statements = new StatementsOn(() => client);
    let isLost = false;
    try {
      const isCurrent = await hasReached(statements, position).catch(() => null);
      isLost = isCurrent === null;
      if (isCurrent === null) return this.pauseFor('unavailable');
      return isCurrent ? { result: await work(statements) } : this.pauseFor('behind');
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      // A read that the standby refuses, such as one that is too slow, says nothing about the reads of others.
      if (error instanceof pg.DatabaseError) return 'slow';
      isLost = true;
      return this.pauseFor('unavailable');
    } finally {
      client.release(isLost);
    }
  }
}

async function hasReached(standby: Statements, position: Position): Promise<boolean> {
  const end = performance.now() + BEHIND_MAX_MS;
  for (;;) {
    const { hasReached } = await standby.only(HAS_REACHED, position);
    if (hasReached || performance.now() > end) return hasReached;
    await sleep(LOOK_EVERY_MS);
  }
}
