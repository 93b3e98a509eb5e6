import { buildIndex, Migration, type QueryRunner } from '@counterfoil/database';

/** Indexes open documents by their due dates. Without a transaction, to allow writes. */
export class DocumentsDue1795790833000 extends Migration {
  override readonly name = 'DocumentsDue1795790833000';
  readonly transaction = false;

  override async up(runner: QueryRunner): Promise<void> {
    await buildIndex(
      runner,
      'documents_due',
      `on documents (company_id, due_date, issue_date, id)
        where status in ('OPEN', 'PARTIALLY_PAID') and due_date is not null`,
    );
  }
}
