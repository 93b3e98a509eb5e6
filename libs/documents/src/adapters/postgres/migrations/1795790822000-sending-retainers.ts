import { Migration, type QueryRunner } from '@counterfoil/database';

/** Adds to retainers to whom their documents are mailed. */
export class SendingRetainers1795790822000 extends Migration {
  override readonly name = 'SendingRetainers1795790822000';

  override async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }
}

const STATEMENTS = [
  'alter table retainers add column send jsonb',
  // Of the recipients and texts only that they were given: each mail has an entry with its recipient.
  `create or replace trigger audited
     after insert or delete or update of id, company_id, entity_id, document_type, currency, items, send on retainers
     for each row execute function record_change('retainer', 'id', '{send}',
       '{id,company_id,created_at,items_bytes}', 'company_id')`,
];
