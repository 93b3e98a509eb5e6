import { Migration, type QueryRunner } from '@counterfoil/database';

/** Lets a link show a document in Hebrew and English at once. */
export class LinksInBothLanguages1795790862000 extends Migration {
  override readonly name = 'LinksInBothLanguages1795790862000';

  override async up(runner: QueryRunner): Promise<void> {
    // Every row satisfies the narrower one, so nothing is read.
    await runner.query(`alter table document_shares
      drop constraint document_shares_language,
      add constraint document_shares_language check (language in ('he', 'en', 'both')) not valid`);
  }
}
