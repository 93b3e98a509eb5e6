import { Migration, type QueryRunner } from '@counterfoil/database';

/** Adds whether a client gets the reminders that its company has sent. */
export class ClientReminders1795790830000 extends Migration {
  override readonly name = 'ClientReminders1795790830000';

  override async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }
}

const STATEMENTS = [
  'alter table entities add column reminders boolean not null default true',
  // With the new column, beside those that the trigger has so far.
  `do $$ begin
     execute (
       select regexp_replace(
                replace(pg_get_triggerdef(oid), 'CREATE TRIGGER', 'create or replace trigger'), ' ON ', ', reminders ON ')
         from pg_trigger where tgrelid = 'entities'::regclass and tgname = 'audited');
   end $$`,
];
