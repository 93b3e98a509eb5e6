import { Migration, type QueryRunner } from '@counterfoil/database';

/** Says in the schema what names mean that differ from those of the code (docs/glossary.md). */
export class AllocationNumberNames1795518000000 extends Migration {
  override readonly name = 'AllocationNumberNames1795518000000';

  override async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `comment on table document_approvals is 'pending requests for allocation numbers of the tax authority'`,
    );
    await runner.query(
      `comment on column documents.tax_authority_approval_number is 'the allocation number of the tax authority'`,
    );
    await runner.query(
      `comment on column documents.approval_number_status is 'state of the allocation number: PENDING, REFUSED, or null if it is assigned or not needed'`,
    );
  }
}
