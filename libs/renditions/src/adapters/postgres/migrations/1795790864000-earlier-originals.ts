import { Migration, type QueryRunner } from '@counterfoil/database';

/**
 * Records the originals that earlier releases have handed over. In a migration of its own, because the creation of the
 * table holds locks of documents until its transaction ends.
 */
export class EarlierOriginals1795790864000 extends Migration {
  override readonly name = 'EarlierOriginals1795790864000';

  override async up(runner: QueryRunner): Promise<void> {
    await runner.query(`insert into document_originals (company_id, document_id, taken_at)
      select company_id, document_id, min(created_at) from (
        select company_id, document_id, created_at from document_mails where stamp = 'original'
        union all
        select company_id, document_id, created_at from document_shares where stamp = 'original'
      ) handed_over
      group by company_id, document_id
      on conflict do nothing`);
  }
}
