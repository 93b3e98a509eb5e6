import { statement } from '@counterfoil/database';

export interface TableShape {
  readonly table: string;
  /** In their order, without generated ones. */
  readonly columns: readonly string[];
  readonly primaryKey: readonly string[];
}

export const FIND_TABLES = statement<object, TableShape>(
  'company data: tables',
  `select c.relname::text as "table",
          array(select a.attname::text from pg_attribute a
                 where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
                 order by a.attnum) as columns,
          array(select a.attname::text from unnest(p.conkey) with ordinality as k (number, position)
                  join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number
                 order by k.position) as "primaryKey"
     from pg_class c left join pg_constraint p on p.conrelid = c.oid and p.contype = 'p'
    where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
    order by c.relname`,
);

/** A reference of one table to another, column by column. */
export interface Reference {
  readonly from: string;
  readonly to: string;
  readonly fromColumns: readonly string[];
  readonly toColumns: readonly string[];
}

export const FIND_REFERENCES = statement<object, Reference>(
  'company data: references',
  `select f.relname::text as "from", t.relname::text as "to",
          array(select a.attname::text from unnest(k.conkey) with ordinality as c (number, position)
                  join pg_attribute a on a.attrelid = k.conrelid and a.attnum = c.number
                 order by c.position) as "fromColumns",
          array(select a.attname::text from unnest(k.confkey) with ordinality as c (number, position)
                  join pg_attribute a on a.attrelid = k.confrelid and a.attnum = c.number
                 order by c.position) as "toColumns"
     from pg_constraint k join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
    where k.contype = 'f' and f.relnamespace = current_schema()::regnamespace
    order by f.relname, k.conname`,
);

/** Applies to this transaction only, and only to a company whose erasure has begun: see `record_change`. */
export const ERASE_UNRECORDED = statement(
  'company data: record an erasure',
  `select set_config('counterfoil.audit', 'erasure', true)`,
);
