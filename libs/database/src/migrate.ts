import type { Config } from '@counterfoil/config';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from './data-source';

/** Any number; the same in every process that migrates, so that they do it one after the other. */
const MIGRATION_LOCK = 7_305_112;

/** Brings the database to this version of the code. Safe to call from many processes at once. */
export async function migrateDatabase(config: Config): Promise<void> {
  const options = dataSourceOptions(config, 'counterfoil-migrate');
  // A migration takes the time that it takes, and so does waiting for another process to finish its own.
  const extra = { ...(options.extra as object), statement_timeout: 0, lock_timeout: 0 };
  const dataSource = await new DataSource({ ...options, extra }).initialize();
  const lock = dataSource.createQueryRunner();
  try {
    await lock.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await dataSource.runMigrations({ transaction: 'each' });
  } finally {
    await lock.release();
    await dataSource.destroy();
  }
}
