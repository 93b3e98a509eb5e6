import { Migration, type QueryRunner } from '@counterfoil/database';

/** Adds the note of a payment, such as the number of a check. Payments recorded before have none. */
export class PaymentNotes1795790863000 extends Migration {
  override readonly name = 'PaymentNotes1795790863000';

  override async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }
}

const STATEMENTS = [
  'alter table document_payments add column note text',
  // With the new column.
  `create or replace trigger audited
     after update of document_id, position, method, amount, date, note or delete on document_payments
     for each row execute function record_change('document_payment', 'document_id', '{}', '{document_id}',
       'document_id', 'documents')`,
];
