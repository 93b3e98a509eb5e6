import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A schema change in plain SQL. Its name ends in a timestamp, which orders the migrations of all libs. Once
 * landed, it is never edited or reverted: a later migration corrects mistakes.
 */
export abstract class Migration implements MigrationInterface {
  abstract readonly name: string;

  abstract up(runner: QueryRunner): Promise<void>;

  /** TypeORM requires this method. */
  down(): Promise<void> {
    throw new Error(`${this.name} cannot be reverted: migrations only go forward`);
  }
}

/**
 * Builds an index concurrently, for a migration without a transaction. It waits for all running transactions,
 * however long they take. It first removes the invalid index that an interrupted build leaves behind.
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
 * Sorts migrations by their timestamps, oldest first.
 *
 * @throws Error if one has no timestamp, or two have the same
 */
export function inOrder(migrations: readonly MigrationClass[]): MigrationClass[] {
  const byTimestamp = new Map<number, MigrationClass>();
  for (const migration of migrations) {
    const timestamp = Number(TIMESTAMP.exec(migration.name)?.[0] ?? NaN);
    if (Number.isNaN(timestamp)) throw new Error(`migration ${migration.name} does not end in a timestamp`);
    const other = byTimestamp.get(timestamp);
    if (other) throw new Error(`migrations ${other.name} and ${migration.name} have the same timestamp`);
    byTimestamp.set(timestamp, migration);
  }
  return [...byTimestamp].sort(([one], [other]) => one - other).map(([, migration]) => migration);
}
