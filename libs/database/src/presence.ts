import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Config } from '@counterfoil/config';
import { Log } from '@counterfoil/observability';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ADVISORY_LOCKS, advisoryLock } from './advisory-locks';
import { directUrl, KEEP_ALIVE, ResilientClient } from './resilient-client';
import { SESSION_SETTINGS } from './session-settings';

const ID_MAX = 2 ** 31 - 1;
const PAUSE_MS = 400;
/** A process that reconnects within this time after it was first missed counts as alive. */
const ABSENT_MS = 1_500;
const PAUSE_AFTER_FAILURE_MS = 200;
const CONNECT_TIMEOUT_MS = 3_000;
const SILENCE_MS = 5_000;

const TAKE = `select ${advisoryLock('pg_advisory_lock_shared', 'presence', '$1')}`;
const PRESENT = `
  select objid::int4 as id from pg_locks
   where locktype = 'advisory' and classid = ${ADVISORY_LOCKS.presence} and objsubid = 2 and granted
     and database = (select oid from pg_database where datname = current_database())`;

type Report = (ids: readonly number[]) => Promise<void>;
type FindOwners = () => Promise<readonly number[]>;

/**
 * Reports when another process of the same kind has ended, sooner than its leases expire. Each process holds
 * a shared lock on a connection of its own, and on each connection on which it has claimed work. The operating
 * system closes the connections when the process is killed, but keeps them open while the process is stopped
 * or busy.
 *
 * A process reports others as gone only if it saw their locks on its current connection, or if they had work
 * when this process started. So while the database is unavailable, and right afterwards, a process that has
 * been running reports none as gone. One that starts reports a process that has claimed work if the server
 * has had no connection with its lock for `ABSENT_MS`. A claim takes the lock in its own statement, so work
 * cannot be claimed without it. A process that runs is thus reported only if all its connections are lost at
 * once, as in a failover, and none is back in that time.
 */
@Injectable()
export class Presence implements OnApplicationShutdown {
  /** The id of this process. */
  readonly id = randomInt(1, ID_MAX);
  private readonly stopping = new AbortController();
  private known = 1;
  private isFirstConnection = true;
  private client: ResilientClient | undefined;

  constructor(
    private readonly config: Config,
    private readonly log: Log,
  ) {}

  /** The number of processes of this kind, as far as this one knows, including itself. */
  get processes(): number {
    return this.known;
  }

  /**
   * @param takeOver receives the ids of ended processes; if it fails, it is not called again for them
   * @param findOwners returns the processes that have work to take over, to find those that ended before this
   *   one started
   */
  start(takeOver: Report, findOwners: FindOwners = () => Promise.resolve([])): void {
    void this.keepConnected(findOwners, async (ids) => {
      this.log.info({ workers: ids.length }, 'workers have ended; taking over their work');
      await takeOver(ids).catch((error: unknown) =>
        this.log.warn(
          { error },
          'the work of an ended worker could not be taken over; it continues when its leases expire',
        ),
      );
    });
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.client?.end().catch(() => undefined);
  }

  private async keepConnected(findOwners: FindOwners, report: Report): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await this.watch(findOwners, report).catch((error: unknown) => {
        if (!signal.aborted) this.log.debug({ error }, 'other workers cannot be observed; retrying soon');
      });
      await sleep(PAUSE_AFTER_FAILURE_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Runs until the connection breaks. */
  private async watch(findOwners: FindOwners, report: Report): Promise<void> {
    const client = new ResilientClient({
      connectionString: directUrl(this.config),
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      silence_timeout: SILENCE_MS,
      application_name: 'counterfoil-presence',
      options: SESSION_SETTINGS,
      ...KEEP_ALIVE,
    });
    this.client = client;
    try {
      await client.connect();
      // Shared, because the server may keep a connection that the network has dropped, and its lock, for a
      // long time.
      await client.query(TAKE, [this.id]);
      const others = new Others(this.id);
      if (this.isFirstConnection) others.expect(await findOwners());
      this.isFirstConnection = false;
      while (!this.stopping.signal.aborted) {
        const { rows } = await client.query<{ id: number }>(PRESENT);
        const gone = others.see(new Set(rows.map(({ id }) => id)));
        this.known = 1 + others.count;
        if (gone.length > 0) await report(gone);
        await sleep(PAUSE_MS, undefined, { signal: this.stopping.signal, ref: false });
      }
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

/** The other processes that were seen on one connection, or expected there. */
class Others {
  /** The time at which each was first missed; null while it is present. */
  private readonly missedAt = new Map<number, number | null>();

  constructor(private readonly ownId: number) {}

  /** Those that are present, and those that have been missing for too short a time to count as gone. */
  get count(): number {
    return this.missedAt.size;
  }

  expect(ids: Iterable<number>): void {
    for (const id of ids) if (id !== this.ownId) this.missedAt.set(id, null);
  }

  /** @returns the processes that have been missing for `ABSENT_MS` in several looks, and thus are gone */
  see(present: ReadonlySet<number>): number[] {
    const now = performance.now();
    this.expect(present);
    const gone: number[] = [];
    for (const [id, missedAt] of this.missedAt) {
      if (present.has(id)) continue;
      if (missedAt === null) this.missedAt.set(id, now);
      else if (now - missedAt >= ABSENT_MS) gone.push(id);
    }
    for (const id of gone) this.missedAt.delete(id);
    return gone;
  }
}
