import { Migration, type QueryRunner } from '@counterfoil/database';

/** Compresses the files that are texts. PostgreSQL keeps a PDF as it is, because it does not become smaller. */
export class RenditionTexts1795790400000 extends Migration {
  override readonly name = 'RenditionTexts1795790400000';

  override async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table renditions alter column content set storage extended');
  }
}
