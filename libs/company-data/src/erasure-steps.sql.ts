import type { Catalog } from './catalog';
import { type CompanyTable, rowsOf } from './company-table';

/** The rows that one transaction removes or changes. It holds their locks for some 100 milliseconds at most. */
export const BATCH = 500;
/** The rows that a step by key reads at most to find a batch, so that no statement runs long where most rows stay. */
export const WINDOW = 2_000;

/** A statement that is repeated until there is no `more`. */
export interface Step {
  readonly table: string;
  readonly kind: 'removed' | 'changed';
  /** SQL that returns the number of rows, the last key for `$2`, and whether there may be more. */
  readonly sql: string;
  /** Whether each call begins behind the key at which the last one has ended. */
  readonly isByKey: boolean;
}

/** @param condition SQL about rows `t` */
export function existenceOf(table: CompanyTable, condition: string): string {
  return `select 1 from ${table.table} t where ${rowsOf(table)} and ${condition} limit 1`;
}

export function countOf(table: CompanyTable): string {
  return `select count(*) as count from ${table.table} t where ${rowsOf(table)}`;
}

/**
 * @param keepsRows whether rows may stay to which others refer. Then the step proceeds by key: a step that began at the
 *   first row each time would pass over all of them in each batch
 */
export function removalOf(declared: CompanyTable, catalog: Catalog, keepsRows: boolean): Step {
  const { table, erasure } = declared;
  const primaryKey = catalog.shapeOf(table).primaryKey;
  const key = erasure.scans ?? (keepsRows ? 'id' : null);
  const unreferenced = catalog.unreferenced(table);
  const noted = erasure.noting === undefined ? '' : `, noted as (${erasure.noting})`;
  const removed = (chosen: string) => `with chosen as materialized (${chosen}), removed as (
      delete from ${table} d using chosen where (${listed(primaryKey, 'd')}) = (${listed(primaryKey, 'chosen')})
      returning d.*
    )${noted}`;
  const columns = listed(primaryKey, 't');
  if (key !== null) {
    const { chosen, ended } = byKey(declared, { key, columns, condition: unreferenced });
    return { table, kind: 'removed', sql: `${removed(chosen)} ${ended('removed')}`, isByKey: true };
  }
  const chosen = `select ${columns} from ${table} t where ${rowsOf(declared)} and ${unreferenced} limit ${BATCH}`;
  const sql = `${removed(chosen)}
    select count(*) as count, null as last, count(*) = ${BATCH} as more from removed`;
  return { table, kind: 'removed', sql, isByKey: false };
}

export function changeOf(
  declared: CompanyTable,
  sets: Readonly<Record<string, string>>,
  condition: string,
): Step {
  const { table, erasure } = declared;
  const assigned = Object.entries(sets);
  // As texts, because JSON has no equality.
  const differs = assigned.map(([column, value]) => `t.${column}::text is distinct from (${value})::text`);
  const { chosen, ended } = byKey(declared, {
    key: erasure.scans ?? 'id',
    columns: 't.id',
    condition: `${condition} and (${differs.join(' or ')})`,
  });
  const sql = `with chosen as materialized (${chosen}), changed as (
      update ${table} t set ${assigned.map(([column, value]) => `${column} = ${value}`).join(', ')}
        from chosen where t.id = chosen.id returning t.id
    ) ${ended('changed')}`;
  return { table, kind: 'changed', sql, isByKey: true };
}

/**
 * Chooses a batch among the next rows by key: among those of the company if an index finds them, or else among those of all
 * companies.
 */
function byKey(
  declared: CompanyTable,
  { key, columns, condition }: { readonly key: string; readonly columns: string; readonly condition: string },
): { readonly chosen: string; readonly ended: (result: string) => string } {
  const { table, erasure } = declared;
  const isScan = erasure.scans !== undefined;
  const next = `from ${table} t where ${isScan ? 'true' : rowsOf(declared)} and t.${key} > $2::bigint
       order by t.${key} limit ${WINDOW}`;
  const chosen = `select ${columns}, t.${key} as step_key from (select t.* ${next}) t
     where ${isScan ? rowsOf(declared) : 'true'} and ${condition} order by t.${key} limit ${BATCH}`;
  // Less than a window is the end, although others may write behind it meanwhile: the next pass finds their rows.
  const ended = (result: string) => `, seen as materialized (
      select count(*) as count, max(step_key) as last from (select t.${key} as step_key ${next}) t
    ), found as (
      select count(*) = ${BATCH} as is_full, max(step_key) as last from chosen
    )
    select (select count(*) from ${result}) as count,
           (case when found.is_full then found.last else seen.last end)::text as last,
           found.is_full or seen.count = ${WINDOW} as more
      from seen, found`;
  return { chosen, ended };
}

function listed(columns: readonly string[], alias: string): string {
  return columns.map((column) => `${alias}.${column}`).join(', ');
}
