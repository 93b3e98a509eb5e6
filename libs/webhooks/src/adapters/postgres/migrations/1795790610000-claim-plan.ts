import { Migration, type QueryRunner } from '@counterfoil/database';

/**
 * Plans the statements of a claim once in each session. With many waiting deliveries, PostgreSQL expected a plan for the
 * given time to be cheaper than one for any time, and planned every claim anew, which took longer than the claim itself.
 * Only index scans are allowed, so both plans are the same.
 */
export class ClaimPlan1795790610000 extends Migration {
  override readonly name = 'ClaimPlan1795790610000';

  override async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `alter function claim_due_deliveries(text[], integer[], integer, timestamptz, interval, uuid)
         set plan_cache_mode = force_generic_plan`,
    );
  }
}
