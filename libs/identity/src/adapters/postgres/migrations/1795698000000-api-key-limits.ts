import { Migration, type QueryRunner } from '@counterfoil/database';

/** Adds a name to keys, the time at which they expire, and the networks from which they may be used; null: any. */
export class ApiKeyLimits1795698000000 extends Migration {
  override readonly name = 'ApiKeyLimits1795698000000';

  override async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `alter table api_keys add column name text, add column expires_at timestamptz, add column addresses text[]`,
    );
  }
}
