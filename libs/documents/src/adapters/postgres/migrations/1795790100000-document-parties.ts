import { Migration, type QueryRunner } from '@counterfoil/database';

/** Adds the issuer and the recipient of a document as they were when it was issued. Documents issued before have none. */
export class DocumentParties1795790100000 extends Migration {
  override readonly name = 'DocumentParties1795790100000';

  override async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create table document_parties (
      company_id bigint not null references companies,
      document_id bigint not null references documents,
      issuer jsonb not null,
      recipient jsonb not null,
      primary key (company_id, document_id)
    )`);
  }
}
