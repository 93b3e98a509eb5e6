import type { Catalog } from './catalog';
import { type CompanyTable, rowsOf } from './company-table';

/** Rows of one transaction, which holds their locks for some 100 milliseconds at most. */
export const BATCH = 500;

/** A statement that is repeated until it finds less than a batch. */
export interface Step {
  readonly table: string;
  readonly kind: 'removed' | 'changed';
  /** SQL that returns the number of rows, and the last key for `$2`. */
  readonly sql: string;
  readonly walks: boolean;
}

/** @param condition SQL about rows `t` */
export function existenceOf(table: CompanyTable, condition: string): string {
  return `select 1 from ${table.table} t where ${rowsOf(table)} and ${condition} limit 1`;
}

export function removalOf(declared: CompanyTable, catalog: Catalog): Step {
  const { table } = declared;
  const { noting, walks } = declared.erasure;
  const key = catalog.shapeOf(table).primaryKey;
  const listed = (alias: string) => key.map((column) => `${alias}.${column}`).join(', ');
  const walk = walks === undefined ? '' : `and t.${walks} > $2::bigint order by t.${walks}`;
  const last = walks === undefined ? 'null' : `max(${walks})`;
  const sql = `with doomed as materialized (
      select ${listed('t')} from ${table} t where ${rowsOf(declared)} and ${catalog.unreferenced(table)} ${walk} limit ${BATCH}
    ), removed as (
      delete from ${table} d using doomed where (${listed('d')}) = (${listed('doomed')}) returning d.*
    )${noting === undefined ? '' : `, noted as (${noting})`}
    select count(*) as count, ${last}::text as last from removed`;
  return { table, kind: 'removed', sql, walks: walks !== undefined };
}

/** By id, so that each batch passes over no row that an earlier one has changed. */
export function changeOf(
  declared: CompanyTable,
  sets: Readonly<Record<string, string>>,
  condition: string,
): Step {
  const { table } = declared;
  const columns = Object.entries(sets);
  // As texts, because JSON has no equality.
  const differs = columns.map(([column, value]) => `t.${column}::text is distinct from (${value})::text`);
  const sql = `with chosen as materialized (
      select t.id from ${table} t
       where ${rowsOf(declared)} and ${condition} and (${differs.join(' or ')}) and t.id > $2::bigint
       order by t.id limit ${BATCH}
    ), changed as (
      update ${table} t set ${columns.map(([column, value]) => `${column} = ${value}`).join(', ')}
        from chosen where t.id = chosen.id returning t.id
    )
    select count(*) as count, max(id)::text as last from changed`;
  return { table, kind: 'changed', sql, walks: true };
}
