import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Config } from '@counterfoil/config';
import { Log } from '@counterfoil/observability';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ADVISORY_LOCKS, advisoryLock } from './advisory-locks';
import { KEEP_ALIVE, SESSION_SETTINGS, SteadyClient } from './client';

const ID_MAX = 2 ** 31 - 1;
const PAUSE_MS = 400;
/** A process that makes another connection within this time after it was first missed was not gone. */
const ABSENT_MS = 1_500;
const PAUSE_AFTER_FAILURE_MS = 200;
const CONNECT_TIMEOUT_MS = 3_000;
const SILENCE_MS = 5_000;

const TAKE = `select ${advisoryLock('pg_advisory_lock_shared', 'presence', '$1')}`;
const PRESENT = `
  select objid::int4 as id from pg_locks
   where locktype = 'advisory' and classid = ${ADVISORY_LOCKS.presence} and objsubid = 2 and granted
     and database = (select oid from pg_database where datname = current_database())`;

/**
 * Tells the processes of a kind of each other's end, sooner than their leases do. Each holds a lock for as long as its
 * connection lives, which the system closes when a process is killed, and keeps open while one is stopped or busy.
 *
 * A process is reported as gone only by one that saw its lock on the connection that it still has: while the database is
 * away, and right after, nobody is.
 */
@Injectable()
export class Presence implements OnApplicationShutdown {
  /** Of this process. */
  readonly id = randomInt(1, ID_MAX);
  private readonly stopping = new AbortController();
  private known = 1;
  private client: SteadyClient | undefined;

  constructor(
    private readonly config: Config,
    private readonly log: Log,
  ) {}

  /** How many processes of the kind there are, as far as this one knows; itself included. */
  get processes(): number {
    return this.known;
  }

  /** @param takeOver is given the ids of processes that have ended; where it fails, it is not called again for them */
  start(takeOver: (ids: readonly number[]) => Promise<void>): void {
    void this.keepConnected(async (ids) => {
      this.log.info({ workers: ids.length }, 'workers have ended; what they had in hand is taken over');
      await takeOver(ids).catch((error: unknown) =>
        this.log.warn({ error }, 'what a worker had in hand could not be taken over; its leases run out'),
      );
    });
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.client?.end().catch(() => undefined);
  }

  private async keepConnected(report: (ids: readonly number[]) => Promise<void>): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await this.watch(report).catch((error: unknown) => {
        if (!signal.aborted) this.log.debug({ error }, 'other workers cannot be seen; they are again soon');
      });
      await sleep(PAUSE_AFTER_FAILURE_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Until the connection breaks. */
  private async watch(report: (ids: readonly number[]) => Promise<void>): Promise<void> {
    const client = new SteadyClient({
      connectionString: this.config.databaseUrl,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      silence_timeout: SILENCE_MS,
      application_name: 'counterfoil-presence',
      options: SESSION_SETTINGS,
      ...KEEP_ALIVE,
    });
    this.client = client;
    try {
      await client.connect();
      // Shared, since the server may keep a connection that the network has forgotten, with its lock, for long.
      await client.query(TAKE, [this.id]);
      const others = new Others(this.id);
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

/** The other processes that one connection has seen. */
class Others {
  /** When each was first missed; null while it is there. */
  private readonly missedAt = new Map<number, number | null>();

  constructor(private readonly ownId: number) {}

  /** Those that are missed, but not for so long that they are gone, among them. */
  get count(): number {
    return this.missedAt.size;
  }

  /** @returns those that have been missed for so long, at several looks, that they are gone */
  see(present: ReadonlySet<number>): number[] {
    const now = performance.now();
    for (const id of present) if (id !== this.ownId) this.missedAt.set(id, null);
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
