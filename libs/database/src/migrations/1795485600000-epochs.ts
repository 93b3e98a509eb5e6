import type { QueryRunner } from 'typeorm';
import { Migration } from '../migration';

/**
 * The epoch of the database: a text that changes after a restore and after a failover, so that cached change
 * numbers are not confused with those of another history.
 */
export class Epochs1795485600000 extends Migration {
  override readonly name = 'Epochs1795485600000';

  override async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }
}

const UP = [
  // The last row counts. Only the first row stores its `epoch`: cursors issued before this migration name
  // none, and belong to it.
  `create table epochs (
    id bigint generated always as identity primary key,
    begun_at timestamptz not null default now(),
    cause text not null,
    epoch text
  )`,
  // Each part detects what the others miss: the system identifier a dump restored on another server, or a
  // major upgrade; the oid of the database a restore beside the old one; the transaction that wrote the row a
  // restore in place; the timeline a promotion and a recovery to a point in time. The timeline is that of the
  // WAL being written, because pg_control shows the old one until the first checkpoint has ended. On a
  // standby it is the primary's. Privileges are checked beforehand, because catching an exception would
  // prevent parallel plans. The path of a table's file contains the oid of the database, at a third of the
  // cost of reading pg_database.
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
  // If several calls find the same epoch, one of them renews it.
  `create function renew_epoch(ending text, why text) returns boolean language plpgsql as $$
   begin
     perform pg_advisory_xact_lock(7305114);
     if current_epoch() <> ending then
       return false;
     end if;
     insert into epochs (cause) values (why);
     return true;
   end $$`,
  // A single statement, and so always a single transaction.
  `do $$
   begin
     insert into epochs (cause) values ('the first');
     update epochs set epoch = current_epoch();
   end $$`,
];
