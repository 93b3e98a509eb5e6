import { setTimeout as sleep } from 'node:timers/promises';
import {
  openTestContext,
  type OpenContext,
  startTestContext,
  type TestContext,
  until,
} from '@counterfoil/test-harness';
import { Presence } from './presence';

const REPORTED_WITHIN_MS = 3_000;
const SEEN_AFTER_MS = 1_000;

describe('Presence', () => {
  let context: TestContext;
  let other: OpenContext;
  let gone: number[];

  beforeEach(async () => {
    context = await startTestContext([]);
    other = await openTestContext(context.config);
    gone = [];
    other.get(Presence).start(() => Promise.resolve());
    context.get(Presence).start((ids) => {
      gone.push(...ids);
      return Promise.resolve();
    });
    await sleep(SEEN_AFTER_MS);
  });
  afterEach(() => context.close());

  /** Breaks the connection of the other process, which connected first, or of both. */
  const breakConnections = (count: number) =>
    context.database.query(
      `select pg_terminate_backend(pid) from (
         select pid from pg_stat_activity where application_name = 'counterfoil-presence'
            and datname = current_database() order by backend_start limit $1) as first`,
      [count],
    );

  it('counts the processes', async () => {
    const third = await openTestContext(context.config);
    third.get(Presence).start(() => Promise.resolve());
    const seen = () => [context, other, third].map((one) => one.get(Presence).processes);
    await until('all to see three', () => seen().every((count) => count === 3), REPORTED_WITHIN_MS);
    await third.close();
    await until(
      'the others to see two',
      () =>
        seen()
          .slice(0, 2)
          .every((count) => count === 2),
      REPORTED_WITHIN_MS,
    );
    await other.close();
  });

  it('still counts a process that reconnects', async () => {
    const counts = new Set<number>();
    const counting = setInterval(() => counts.add(context.get(Presence).processes), 10);
    for (let round = 0; round < 3; round++) {
      await context.database.query(
        `select pg_terminate_backend(pid) from pg_locks
          where locktype = 'advisory' and objid::int4 = $1 and objsubid = 2`,
        [other.get(Presence).id],
      );
      await sleep(SEEN_AFTER_MS);
    }
    clearInterval(counting);
    await other.close();
    expect([...counts]).toEqual([2]);
  });

  it('reports the end of another process once', async () => {
    await other.close();
    await until('the end to be reported', () => gone.length > 0, REPORTED_WITHIN_MS);
    await sleep(SEEN_AFTER_MS);
    expect(gone).toEqual([other.get(Presence).id]);
  });

  it('works again after the network has dropped a connection that the server keeps', async () => {
    const { id } = other.get(Presence);
    const forgotten = context.database.hold(
      `select pg_advisory_lock_shared(classid::int4, objid::int4) from pg_locks
        where locktype = 'advisory' and objid::int4 = ${id}`,
    );
    await forgotten.ready;
    await breakConnections(1);
    // Longer than the silence timeout of a connection.
    await sleep(7_000);
    const [row] = await context.database.query<{ connections: number }>(
      `select count(*)::int as connections from pg_stat_activity
        where application_name = 'counterfoil-presence' and datname = current_database()`,
    );
    expect(row).toEqual({ connections: 2 });
    expect(gone).toEqual([]);
    await forgotten.release();
    await other.close();
  });

  it('reports no end when connections break, of the other process or of all', async () => {
    for (const count of [1, 2]) {
      await breakConnections(count);
      await sleep(REPORTED_WITHIN_MS);
    }
    expect(gone).toEqual([]);
    await other.close();
    await until('the end to be reported', () => gone.length > 0, REPORTED_WITHIN_MS);
  });
});
