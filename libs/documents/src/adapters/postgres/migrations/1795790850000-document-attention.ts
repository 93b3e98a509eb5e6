import { buildIndex, Migration, type QueryRunner } from '@counterfoil/database';

/** Indexes the documents whose allocation number is missing, which are few among all. */
export class DocumentAttention1795790850000 extends Migration {
  override readonly name = 'DocumentAttention1795790850000';
  readonly transaction = false;

  override async up(runner: QueryRunner): Promise<void> {
    await buildIndex(
      runner,
      'documents_approval_status',
      `on documents (company_id, approval_number_status, issue_date desc, id desc)
        where approval_number_status is not null`,
    );
  }
}
