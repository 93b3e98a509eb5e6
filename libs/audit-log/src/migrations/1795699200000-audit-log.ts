import { Migration, type QueryRunner } from '@counterfoil/database';
import { AUDITED, type AuditedTable } from './audited-tables';

const TABLES = [
  // A row in the transaction of its change, until the worker appends it to the log. One index, so that writers pay
  // little. Company 0 stands for the installation. `acting` is the actor, its role and the request id.
  `create table audit_staged (
     id bigint generated always as identity primary key,
     company_id bigint not null,
     at timestamptz not null default clock_timestamp(),
     acting text not null,
     action text not null,
     entity text not null,
     entity_id text not null,
     before jsonb,
     after jsonb
   )`,
  `create table audit_log (
     company_id bigint not null,
     position bigint not null,
     at timestamptz not null,
     actor text not null,
     role text,
     request_id text,
     action text not null,
     entity text not null,
     entity_id text not null,
     before jsonb,
     after jsonb,
     hash bytea not null,
     primary key (company_id, position)
   )`,
  // The last entry of each removal, to which the first entry that is left must be chained.
  `create table audit_removals (
     company_id bigint not null,
     position bigint not null,
     hash bytea not null,
     removed_at timestamptz not null,
     primary key (company_id, position)
   )`,
];

/** Each for the list in its order, newest first, with one filter. */
const INDEXES = [
  'create index audit_log_at on audit_log (company_id, at, position)',
  'create index audit_log_action on audit_log (company_id, action, at, position)',
  'create index audit_log_actor on audit_log (company_id, actor, at, position)',
  'create index audit_log_entity on audit_log (company_id, entity, at, position)',
  'create index audit_log_entity_id on audit_log (company_id, entity_id, at, position)',
  `create index audit_log_request on audit_log (company_id, request_id, at, position) where request_id is not null`,
];

const FUNCTIONS = [
  // Only the owner of the log can switch the recording off, for its session.
  `create function may_stop_audit() returns boolean language sql stable as $$
     select pg_has_role(session_user, (select relowner from pg_class where oid = 'audit_log'::regclass), 'usage')
   $$`,
  // The arguments of its triggers: type of record, column of the id, secrets, omitted columns, column of the company or
  // of the parent, table of the parent.
  `create function record_change() returns trigger language plpgsql set timezone = 'UTC' as $$
   declare
     acting constant text := coalesce(nullif(current_setting('counterfoil.actor', true), ''), 'database:' || session_user);
     previous jsonb;
     next jsonb;
     company bigint;
     record_id text;
     secret text;
   begin
     -- Nested, because PL/pgSQL would call the function for each row to evaluate one condition.
     if current_setting('counterfoil.audit', true) = 'off' then
       if tg_argv[0] <> 'migration' and may_stop_audit() then return null; end if;
     end if;
     if tg_op <> 'INSERT' then previous := to_jsonb(old); end if;
     if tg_op <> 'DELETE' then next := to_jsonb(new); end if;
     company := coalesce(next, previous) ->> tg_argv[4];
     record_id := coalesce(next, previous) ->> tg_argv[1];
     -- Not put together at run time, because such a statement is planned for each row.
     if tg_nargs = 6 then
       case tg_argv[5]
         when 'entities' then select company_id into company from entities where id = company;
         when 'products' then select company_id into company from products where id = company;
         when 'documents' then select company_id into company from documents where id = company;
       end case;
     end if;
     -- The shortest way for the most frequent changes.
     if tg_op = 'INSERT' and tg_argv[2] = '{}' then
       if company is null and tg_argv[0] = 'exchange_rate' then return null; end if;
       insert into audit_staged (company_id, acting, action, entity, entity_id, after)
       values (coalesce(company, 0), acting, 'create', tg_argv[0], record_id,
               jsonb_strip_nulls(next - tg_argv[3]::text[]));
       return null;
     end if;
     if tg_op = 'UPDATE' then
       select jsonb_object_agg(key, o.value), jsonb_object_agg(key, n.value) into previous, next
         from jsonb_each(previous - tg_argv[3]::text[]) o join jsonb_each(next) n using (key)
        where o.value is distinct from n.value;
       if previous is null then return null; end if;
     end if;
     foreach secret in array tg_argv[2]::text[] loop
       if previous -> secret <> 'null' then previous := jsonb_set(previous, array[secret], '"hidden"'); end if;
       if next -> secret <> 'null' then next := jsonb_set(next, array[secret], '"hidden"'); end if;
     end loop;
     insert into audit_staged (company_id, acting, action, entity, entity_id, before, after)
     values (coalesce(company, 0), acting, case tg_op when 'INSERT' then 'create' else lower(tg_op) end, tg_argv[0],
             record_id, case tg_op when 'DELETE' then jsonb_strip_nulls(previous - tg_argv[3]::text[]) else previous end,
             case tg_op when 'INSERT' then jsonb_strip_nulls(next - tg_argv[3]::text[]) else next end);
     return null;
   end $$`,
  // Published rates come by the ten thousand, so those that one statement adds are one entry.
  `create function record_published_rates() returns trigger language plpgsql as $$
   declare
     acting constant text := coalesce(nullif(current_setting('counterfoil.actor', true), ''), 'database:' || session_user);
   begin
     insert into audit_staged (company_id, acting, action, entity, entity_id, after)
     select 0, acting, 'create', 'exchange_rate', 'published',
            jsonb_build_object('rates', count(*), 'currencies', count(distinct currency), 'from_date', min(date),
              'to_date', max(date))
       from added where company_id is null having count(*) > 0;
     return null;
   end $$`,
  // A replace of a pricelist changes up to ten thousand entries, so one statement records all that it changes. The
  // arguments are those of record_change.
  `create function record_pricelist_changes() returns trigger language plpgsql set timezone = 'UTC' as $$
   declare
     omitted constant text[] := tg_argv[3];
     acting constant text := coalesce(nullif(current_setting('counterfoil.actor', true), ''), 'database:' || session_user);
   begin
     if current_setting('counterfoil.audit', true) = 'off' then
       if may_stop_audit() then return null; end if;
     end if;
     case tg_op
       when 'INSERT' then
         insert into audit_staged (company_id, acting, action, entity, entity_id, after)
         select v.company_id, acting, 'create', tg_argv[0], n.id, jsonb_strip_nulls(to_jsonb(n) - omitted)
           from added n join entities v on v.id = n.entity_id order by n.id;
       when 'DELETE' then
         insert into audit_staged (company_id, acting, action, entity, entity_id, before)
         select v.company_id, acting, 'delete', tg_argv[0], o.id, jsonb_strip_nulls(to_jsonb(o) - omitted)
           from removed o join entities v on v.id = o.entity_id order by o.id;
       else
         insert into audit_staged (company_id, acting, action, entity, entity_id, before, after)
         select v.company_id, acting, 'update', tg_argv[0], n.id, changed.before, changed.after
           from removed o join added n using (id) join entities v on v.id = n.entity_id
           cross join lateral (
             select jsonb_object_agg(key, b.value) as before, jsonb_object_agg(key, a.value) as after
               from jsonb_each(to_jsonb(o) - omitted) b join jsonb_each(to_jsonb(n)) a using (key)
              where b.value is distinct from a.value) changed
          where changed.before is not null order by n.id;
     end case;
     return null;
   end $$`,
  // Its argument is the marker of a transaction that may delete rows.
  `create function refuse_change_of_audit() returns trigger language plpgsql as $$
   begin
     if tg_op = 'DELETE' and current_setting('counterfoil.audit_removal', true) = tg_argv[0] then return null; end if;
     raise exception 'the audit log is append-only' using errcode = 'restrict_violation';
   end $$`,
];

const IMMUTABLE = [
  ['audit_staged', 'sealing'],
  ['audit_log', 'retention'],
  ['audit_removals', 'none'],
].map(
  ([table, marker]) =>
    `create trigger append_only before update or delete or truncate on ${table}
       for each statement execute function refuse_change_of_audit('${marker}')`,
);

const PUBLISHED_RATES = `create trigger audited_published after insert on exchange_rates referencing new table as added
  for each statement execute function record_published_rates()`;

const PRICELISTS = [
  ['insert', 'new table as added'],
  ['update', 'old table as removed new table as added'],
  ['delete', 'old table as removed'],
].map(
  ([event, tables]) =>
    `create trigger audited_${event} after ${event} on pricelist_entries referencing ${tables}
       for each statement execute function record_pricelist_changes('pricelist_entry', 'id', '{}', '{id}')`,
);

/** The records of the whole installation. TypeORM inserts a row for each migration. */
const OF_INSTALLATION = [
  `create trigger audited after insert on migrations
     for each row execute function record_change('migration', 'name', '{}', '{id,timestamp}', 'none')`,
  `create trigger audited after insert or update or delete on epochs
     for each row execute function record_change('epoch', 'id', '{}', '{id,begun_at}', 'none')`,
];

/** The log of changes, and the triggers on the tables of all contexts that record them (ADR 0046). */
export class AuditLog1795699200000 extends Migration {
  override readonly name = 'AuditLog1795699200000';

  override async up(runner: QueryRunner): Promise<void> {
    for (const sql of [...TABLES, ...INDEXES, ...FUNCTIONS, ...IMMUTABLE]) await runner.query(sql);
    for (const audited of AUDITED) await runner.query(await triggerOf(runner, audited));
    for (const sql of [PUBLISHED_RATES, ...PRICELISTS, ...OF_INSTALLATION]) await runner.query(sql);
  }
}

/** An update is recorded if it sets one of the columns that are not omitted. */
async function triggerOf(runner: QueryRunner, audited: AuditedTable): Promise<string> {
  const { table, entity, id = 'id', secrets = [], omits = [], parent, condition } = audited;
  const { events = ['insert', 'update', 'delete'] } = audited;
  const rows = (await runner.query(
    `select attname as name from pg_attribute
      where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
    [table],
  )) as readonly { readonly name: string }[];
  const columns = rows.map(({ name }) => name).filter((name) => !omits.includes(name));
  const on = events.map((event) => (event === 'update' ? `update of ${columns.join(', ')}` : event));
  const company = parent ?? [table === 'companies' ? 'id' : 'company_id'];
  const omitted = [...new Set([id, ...(parent ? [] : company), ...omits])];
  const values = [entity, id, `{${secrets.join(',')}}`, `{${omitted.join(',')}}`, ...company];
  const when = condition === undefined ? '' : `when (${condition})`;
  return `create trigger audited after ${on.join(' or ')} on ${table} for each row ${when}
    execute function record_change(${values.map((value) => `'${value}'`).join(', ')})`;
}
