import { Migration, type QueryRunner } from '@counterfoil/database';

/** Adds the period of the retainer to the documents that it issues. Documents issued before have none. */
export class RetainerPeriods1795790821000 extends Migration {
  override readonly name = 'RetainerPeriods1795790821000';

  override async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }
}

const STATEMENTS = [
  'alter table documents add column period_from date, add column period_until date',
  // With the new columns.
  `create or replace trigger audited
     after insert or delete or update of id, visible_id, company_id, type, number, external_id, entity_id, retainer_id, issue_date,
       due_date, period_from, period_until, currency, amount, tax, total_with_tax, status, remaining_amount,
       covered_amount, tax_authority_approval_number, approval_number_status, cancelled, cancellation_reason,
       refund_of, notes on documents
     for each row execute function record_change('document', 'id', '{}',
       '{id,company_id,created_at,updated_at,change_number,counted_bucket,search_text}', 'company_id')`,
];
