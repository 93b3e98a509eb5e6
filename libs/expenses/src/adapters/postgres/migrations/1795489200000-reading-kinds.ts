import { Migration, type QueryRunner } from '@counterfoil/database';

/** Which documents to read are images, as far as is known: texts are claimed beside them and do not wait for them. */
export class ReadingKinds1795489200000 extends Migration {
  override readonly name = 'ReadingKinds1795489200000';

  override async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table reading_requests add column is_image boolean not null default false');
  }
}
