import type { QueryRunner } from 'typeorm';
import { Migration } from '../migration';

/**
 * The epoch of the database: a text that is another one after a restore and after a failover, so that what was remembered
 * by a number of a change is not taken for what another history has numbered so.
 */
export class Epochs1795485600000 extends Migration {
  override readonly name = 'Epochs1795485600000';

  override async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }
}

const UP = [
  // The last row counts. `epoch` is kept of the first alone: cursors that were issued before name none, and are of it.
  `create table epochs (
    id bigint generated always as identity primary key,
    begun_at timestamptz not null default now(),
    cause text not null,
    epoch text
  )`,
  // Each sign tells of what the others do not: the server of a dump that was restored elsewhere, or of a major upgrade;
  // the database of one that was restored beside the old one; the transaction that wrote the row of one that was restored
  // in place; the timeline of a promotion, and of a recovery to a point in time. The timeline is that of the WAL being
  // written: pg_control has the old one until the first checkpoint has ended. On a standby it is the primary's.
  // No exception is caught, which parallel plans would not allow: a function that the role may not execute is not called.
  // The path of a table's file holds the oid of the database, at a third of what a look into pg_database takes.
  `create function current_epoch() returns text language plpgsql stable parallel safe as $$
   declare
     server bigint;
     timeline text;
     mark text;
   begin
     if has_function_privilege('pg_control_system()'::regprocedure, 'execute') then
       server := (pg_control_system()).system_identifier;
     end if;
     if not pg_is_in_recovery() then
       if has_function_privilege('pg_walfile_name(pg_lsn)'::regprocedure, 'execute')
          and has_function_privilege('pg_current_wal_lsn()'::regprocedure, 'execute') then
         timeline := left(pg_walfile_name(pg_current_wal_lsn()), 8);
       end if;
     elsif has_function_privilege('pg_control_recovery()'::regprocedure, 'execute') then
       timeline := lpad(upper(to_hex((pg_control_recovery()).min_recovery_end_timeline)), 8, '0');
     end if;
     select e.id || '/' || e.xmin || '/' || extract(epoch from e.begun_at) into mark from epochs e order by e.id desc limit 1;
     return left(encode(sha256(convert_to(
       concat_ws(' ', coalesce(server::text, '-'), coalesce(timeline, '-'), coalesce(mark, '-'),
                 substring(pg_relation_filepath('epochs'::regclass) from '([0-9]+)/[0-9]+$')), 'UTF8')), 'hex'), 16);
   end $$`,
  // Of several that find the same, one renews.
  `create function renew_epoch(ending text, why text) returns boolean language plpgsql as $$
   begin
     perform pg_advisory_xact_lock(7305114);
     if current_epoch() <> ending then
       return false;
     end if;
     insert into epochs (cause) values (why);
     return true;
   end $$`,
  // One statement, and so of one transaction, whoever runs it.
  `do $$
   begin
     insert into epochs (cause) values ('the first');
     update epochs set epoch = current_epoch();
   end $$`,
];
