import type { HeldTransaction, TestDatabase } from '@counterfoil/test-harness';

/** Holds the lock that writers of expenses in a foreign currency share, so that rates wait to be saved. */
export const holdRates = (database: TestDatabase): HeldTransaction =>
  database.hold(`select pg_advisory_xact_lock_shared(hashtextextended('exchange rates', 0))`);

/** Returns the number of transactions that wait for an advisory lock, such as that of the rates. */
export async function waitingForLocks(database: TestDatabase): Promise<number> {
  const waiting = await database.query(
    `select from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`,
  );
  return waiting.length;
}
