import { Migration, type QueryRunner } from '@counterfoil/database';

/**
 * Lets the erasure of a company record its changes without values, which would keep what it erases. Only for a
 * company whose erasure has begun, so that nothing else is recorded without its values.
 */
export class ErasureEntries1795780100000 extends Migration {
  override readonly name = 'ErasureEntries1795780100000';

  override async up(runner: QueryRunner): Promise<void> {
    for (const sql of FUNCTIONS) await runner.query(sql);
  }
}

const FUNCTIONS = [
  `create function is_being_erased(company bigint) returns boolean language sql stable as $$
     select exists (
       select from companies where id = company and erasure_began_at is not null and erased_at is null)
   $$`,
  // Like the functions of AuditLog1795699200000, with the branch for an erasure.
  `create or replace function record_change() returns trigger language plpgsql set timezone = 'UTC' as $$
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
     -- An erasure records which rows it has removed or changed, and not what was in them.
     if current_setting('counterfoil.audit', true) = 'erasure' then
       if tg_op <> 'INSERT' and is_being_erased(company) then
         if tg_op = 'UPDATE' then
           if next - tg_argv[3]::text[] = previous - tg_argv[3]::text[] then return null; end if;
         end if;
         insert into audit_staged (company_id, acting, action, entity, entity_id)
         values (coalesce(company, 0), acting, lower(tg_op), tg_argv[0], record_id);
         return null;
       end if;
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
  `create or replace function record_pricelist_changes() returns trigger language plpgsql set timezone = 'UTC' as $$
   declare
     omitted constant text[] := tg_argv[3];
     erases constant boolean := coalesce(current_setting('counterfoil.audit', true), '') = 'erasure';
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
         select v.company_id, acting, 'delete', tg_argv[0], o.id,
                case when not erases or not is_being_erased(v.company_id)
                     then jsonb_strip_nulls(to_jsonb(o) - omitted) end
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
];
