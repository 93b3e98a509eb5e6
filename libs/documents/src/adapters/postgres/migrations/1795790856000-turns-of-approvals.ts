import { buildIndex, Migration, type QueryRunner } from '@counterfoil/database';

/** Indexes the pending allocation numbers by company, and those that are being asked for. Without a transaction, to allow writes. */
export class TurnsOfApprovals1795790856000 extends Migration {
  override readonly name = 'TurnsOfApprovals1795790856000';
  readonly transaction = false;

  override async up(runner: QueryRunner): Promise<void> {
    await buildIndex(
      runner,
      'document_approvals_turns',
      'on document_approvals (company_id, next_attempt_at, document_id)',
    );
    await buildIndex(
      runner,
      'document_approvals_leased',
      'on document_approvals (company_id) where lease_until is not null',
    );
    await runner.query('drop index concurrently if exists document_approvals_due');
  }
}
