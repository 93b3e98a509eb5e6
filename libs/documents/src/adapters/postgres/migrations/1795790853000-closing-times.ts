import { Migration, type QueryRunner } from '@counterfoil/database';

/**
 * Adds since when a document has been closed. Documents closed before have no time: that of their last change is the best
 * there is.
 */
export class ClosingTimes1795790853000 extends Migration {
  override readonly name = 'ClosingTimes1795790853000';

  override async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }
}

const STATEMENTS = [
  'alter table documents add column closed_at timestamptz',
  // The log has the change of the status, and when it was.
  `do $$ begin
     execute (
       select replace(replace(pg_get_triggerdef(oid), 'CREATE TRIGGER', 'create or replace trigger'),
                'search_text}', 'search_text,closed_at}')
         from pg_trigger where tgrelid = 'documents'::regclass and tgname = 'audited');
   end $$`,
];
