import { Migration, type QueryRunner } from '@counterfoil/database';

/** Says in the schema what names mean that differ from those of the code (docs/glossary.md). */
export class ProviderRequestNames1795521600000 extends Migration {
  override readonly name = 'ProviderRequestNames1795521600000';

  override async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `comment on table charge_operations is 'requests to payment providers: sales, authorizations, captures, refunds and voids of charges'`,
    );
    await runner.query(
      `comment on table sandbox_orders is 'the books of the sandbox provider: one row for each request that reached it'`,
    );
  }
}
