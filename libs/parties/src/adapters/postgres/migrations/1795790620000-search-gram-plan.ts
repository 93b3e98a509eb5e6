import { Migration, type QueryRunner } from '@counterfoil/database';

/**
 * Plans the query of `search_grams` once in each session. It runs for each row that is written to a table with a search
 * index, and planning it took longer than running it (PostgreSQL 18; before that, functions cached no plans).
 */
export class SearchGramPlan1795790620000 extends Migration {
  override readonly name = 'SearchGramPlan1795790620000';

  override async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'alter function search_grams(bigint, text[]) set plan_cache_mode = force_generic_plan',
    );
  }
}
