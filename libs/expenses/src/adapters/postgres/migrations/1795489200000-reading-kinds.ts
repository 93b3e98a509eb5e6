import { Migration, type QueryRunner } from '@counterfoil/database';

/**
 * Adds whether a requested document is known to be an image. Texts are claimed separately, so that they do
 * not wait for images.
 */
export class ReadingKinds1795489200000 extends Migration {
  override readonly name = 'ReadingKinds1795489200000';

  override async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table reading_requests add column is_image boolean not null default false');
  }
}
