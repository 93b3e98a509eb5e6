import { Migration, type QueryRunner } from '@counterfoil/database';

/**
 * Adds limits and usage counters of companies, and indexes for deleting files. It belongs to files, although identity
 * owns the limits.
 */
export class Storage1795460400000 extends Migration {
  override readonly name = 'Storage1795460400000';

  override async up(runner: QueryRunner): Promise<void> {
    for (const statement of [LOCK, ...LIMITS, ...USAGE, ...REFERENCES]) await runner.query(statement);
  }
}

/** Takes the lock of the last statement first, because upgrading a weaker lock could deadlock with a request. */
const LOCK = 'lock table reading_requests, files in access exclusive mode';

const LIMITS = [
  // One row for each limit that an operator has set for one company; the installation's values have none.
  `create table company_limits (
    company_id bigint not null references companies,
    name text not null,
    -- Null: the company has no such limit.
    value bigint constraint company_limits_value check (value >= 0),
    primary key (company_id, name)
  )`,
];

/** Maintained by triggers, so that rows that operators insert or delete count, too. */
const USAGE = [
  `create table storage_usage (
    company_id bigint primary key references companies,
    bytes bigint not null constraint storage_usage_bytes check (bytes >= 0),
    files bigint not null constraint storage_usage_files check (files >= 0)
  )`,
  `create function count_stored_files() returns trigger language plpgsql as $$
   begin
     if tg_op = 'INSERT' then
       insert into storage_usage as u (company_id, bytes, files)
       select company_id, sum(size), count(*) from changed group by company_id order by company_id
       on conflict (company_id) do update set bytes = u.bytes + excluded.bytes, files = u.files + excluded.files;
     else
       update storage_usage u set bytes = u.bytes - c.bytes, files = u.files - c.files
         from (select company_id, sum(size) as bytes, count(*) as files from changed
                group by company_id order by company_id) c
        where u.company_id = c.company_id;
     end if;
     return null;
   end $$`,
  `create trigger count_stored after insert on files
    referencing new table as changed for each statement execute function count_stored_files()`,
  `create trigger count_removed after delete on files
    referencing old table as changed for each statement execute function count_stored_files()`,
  // Creating the triggers has locked the table against writes, so that no file is missed or counted twice.
  `insert into storage_usage (company_id, bytes, files)
   select company_id, sum(size), count(*) from files group by company_id`,
];

/** Deleting a file queries each table that may refer to it. The next migration has the indexes of `entities`. */
const REFERENCES = [
  'create index requests_of_file on reading_requests (file_id) where file_id is not null',
  // An outcome is kept for callers that may still ask for it, even if the file was deleted meanwhile.
  `alter table reading_requests drop constraint reading_requests_file_id_fkey,
    add constraint reading_requests_file_id_fkey foreign key (file_id) references files on delete set null`,
];
