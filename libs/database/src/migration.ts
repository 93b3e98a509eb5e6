import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A change of the schema, in plain SQL. Its name ends in its timestamp, which gives all migrations of all libs one order.
 * Once landed it is never edited and never reverted: a mistake is corrected by a later migration.
 */
export abstract class Migration implements MigrationInterface {
  abstract readonly name: string;

  abstract up(runner: QueryRunner): Promise<void>;

  /** TypeORM demands it. */
  down(): Promise<void> {
    throw new Error(`${this.name} cannot be reverted: migrations only go forward`);
  }
}

/**
 * Builds an index beside writes, for a migration that runs in no transaction. It waits for every transaction that is under
 * way, however long that takes. A build that was cut off leaves an index behind that is not used, which this removes.
 */
export async function buildIndex(runner: QueryRunner, name: string, definition: string): Promise<void> {
  await runner.query('set lock_timeout = 0');
  await runner.query(`drop index concurrently if exists ${name}`);
  await runner.query(`create index concurrently ${name} ${definition}`);
  await runner.query('reset lock_timeout');
}

export type MigrationClass = new () => Migration;

const TIMESTAMP = /\d{13}$/;

/**
 * The migrations by their timestamps, oldest first.
 *
 * @throws Error when one has no timestamp, or two have the same, which would leave their order to chance
 */
export function inOrder(migrations: readonly MigrationClass[]): MigrationClass[] {
  const byTimestamp = new Map<number, MigrationClass>();
  for (const migration of migrations) {
    const timestamp = Number(TIMESTAMP.exec(migration.name)?.[0] ?? NaN);
    if (Number.isNaN(timestamp)) throw new Error(`migration ${migration.name} does not end in a timestamp`);
    const other = byTimestamp.get(timestamp);
    if (other) throw new Error(`migrations ${other.name} and ${migration.name} have one timestamp`);
    byTimestamp.set(timestamp, migration);
  }
  return [...byTimestamp].sort(([one], [other]) => one - other).map(([, migration]) => migration);
}
