import { Migration, type QueryRunner } from '@counterfoil/database';

/** Adds the days on which a company has its clients reminded of documents that are to be paid. A company without a row has none. */
export class CompanyReminders1795790831000 extends Migration {
  override readonly name = 'CompanyReminders1795790831000';

  override async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }
}

const STATEMENTS = [
  `create table company_reminders (
    company_id bigint primary key references companies,
    -- In days after the due date: negative before it.
    days integer[] not null constraint company_reminders_days check (cardinality(days) > 0),
    -- No reminder is sent for a day before.
    changed_at timestamptz not null
  )`,
  `create trigger audited after insert or update or delete on company_reminders
     for each row execute function record_change('company_reminders', 'company_id', '{}', '{company_id}', 'company_id')`,
];
