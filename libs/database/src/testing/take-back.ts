import type { QueryRunner } from 'typeorm';
import { MIGRATIONS } from '../migrations';

/** Takes back what came after a migration, which may stand on its tables. */
export async function takeBackAfter(
  runner: QueryRunner,
  migration: (typeof MIGRATIONS)[number],
): Promise<void> {
  const later = MIGRATIONS.slice(MIGRATIONS.indexOf(migration) + 1).reverse();
  for (const Later of later) await new Later().down(runner);
}
