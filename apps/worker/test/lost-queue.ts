import { flushStore, type TestDatabase, type TestStore } from '@counterfoil/test-harness';

/** Deletes all data of the queue in the store. */
export async function loseQueue(
  store: TestStore,
  { database }: { readonly database: TestDatabase },
): Promise<void> {
  if (store.redisUrl !== null) return flushStore(store);
  const tables = await database.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname = 'bullmq' and tablename like '%job%'`,
  );
  expect(tables).not.toEqual([]);
  for (const { name } of tables) await database.query(`delete from ${name}`);
}
