import { buildIndex, Migration, type QueryRunner } from '@counterfoil/database';

/** Indexes the references of entities to files, for deleting a file. Without a transaction, to allow writes. */
export class FileReferences1795462200000 extends Migration {
  override readonly name = 'FileReferences1795462200000';
  readonly transaction = false;

  override async up(runner: QueryRunner): Promise<void> {
    await buildIndex(runner, 'entities_logo', 'on entities (logo_file_id) where logo_file_id is not null');
    await buildIndex(
      runner,
      'entities_withholding_certificate',
      'on entities (withholding_file_id) where withholding_file_id is not null',
    );
  }
}
