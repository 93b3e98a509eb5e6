import { Migration, type QueryRunner } from '@counterfoil/database';

/** Names the logo of the issuer of a document beside its other particulars, so that its file stays. */
export class LogosOfDocuments1795790810000 extends Migration {
  override readonly name = 'LogosOfDocuments1795790810000';

  override async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table document_parties add column logo_file_id bigint references files');
    await runner.query(
      'create index document_parties_logo on document_parties (logo_file_id) where logo_file_id is not null',
    );
  }
}
