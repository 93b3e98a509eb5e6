import { type SqlStatement, statement, type StatementOptions } from '@counterfoil/database';
import { fence, isFree, type Lease, type NewLease, NOW, type WorkTable } from './work-table';

/** The rows that a claim chooses from, and their order. */
export interface Candidates {
  /** A CTE for the other conditions, such as a count of leased rows. */
  readonly cte?: string;
  readonly join?: string;
  readonly where: string;
  readonly orderBy?: string;
  /** An assignment that is made with the claim. */
  readonly set?: string;
}

/**
 * Leases the first free candidate and returns the payload; without one, no row. Skips rows that another transaction has
 * locked, so that claims made at once take different rows and never wait.
 */
export function claimOf<Row extends object, Terms extends object = object>(
  { name, key, token, until, open, payload }: WorkTable,
  { cte, join = '', where, orderBy, set }: Candidates,
  options: StatementOptions<Row> = {},
): SqlStatement<NewLease & Terms, Row> {
  return statement(
    `${name}: claim`,
    `with ${cte ? `${cte},` : ''} next as (
       select work.${key} as next_key from ${name} work ${join}
        where ${open} and ${isFree({ until })} and (${where})
        ${orderBy ? `order by ${orderBy}` : ''} limit 1 for update of work skip locked)
     update ${name} work set ${token} = :newToken, ${until} = ${NOW} + :lease::interval${set ? `, ${set}` : ''}
       from next where work.${key} = next_key
     returning ${payload}`,
    options,
  );
}

/**
 * Extends leases. A lease that has ended is extended too, unless another worker has the row by then. The rows are the
 * tokens that still hold theirs.
 *
 * @param isWanted a condition of rows whose work somebody still waits for
 */
export function renewalOf({ name, token, until, open }: WorkTable, isWanted = 'true') {
  return statement<
    { readonly tokens: readonly string[]; readonly lease: string },
    { readonly token: string; readonly isWanted: boolean }
  >(
    `${name}: renew`,
    `update ${name} work set ${until} = ${NOW} + :lease::interval
      where work.${token} = any (:tokens::uuid[]) and ${open}
     returning work.${token} as token, ${isWanted} as "isWanted"`,
    { present: ['token'] },
  );
}

/**
 * Ends the lease and makes the assignments. Changes nothing when the lease has passed on or the work is done.
 *
 * @param what names the statement among those of the table
 */
export function endOf<Values extends object = object>(
  table: WorkTable,
  what: string,
  set: readonly string[] = [],
): SqlStatement<Lease & Values, Record<never, never>> {
  const { name, token, until } = table;
  return statement(
    `${name}: ${what}`,
    `update ${name} work set ${[...set, `${token} = null`, `${until} = null`].join(', ')} where ${fence(table)}`,
  );
}

/** Deletes the row. Changes nothing when the lease has passed on or the work is done. */
export function removalOf(table: WorkTable) {
  return statement<Lease>(`${table.name}: remove`, `delete from ${table.name} work where ${fence(table)}`);
}

/** Work that is tried again until it is done: failed tries are counted in the column `attempts`. */
export interface RetriedWorkTable extends WorkTable {
  /** The column that holds the time of the next try. */
  readonly due: string;
  /** The column whose values take turns in `due`, such as the company; without it, the order is that of the times. */
  readonly inTurnsOf?: string;
}

/** The statements of work that is due at times of its own. The caller passes the time, from `Clock`, that those are set by. */
export function retriedWork<Row extends object>(
  table: RetriedWorkTable,
  options: StatementOptions<Row> = {},
) {
  const { name, key, due, open, inTurnsOf } = table;
  const turn = inTurnsOf ? `row_number() over (partition by ${inTurnsOf} order by ${due}, ${key})` : '1';
  return {
    /** No row when the work is not due, leased, or done. */
    claim: claimOf<Row, { readonly id: number; readonly now: Date }>(
      table,
      { where: `work.${key} = :id and work.${due} <= :now` },
      options,
    ),
    /** Counts a failed try, sets the next one and ends the lease. */
    postpone: endOf<{ readonly dueAt: Date }>(table, 'postpone', [
      'attempts = attempts + 1',
      `${due} = :dueAt`,
    ]),
    remove: removalOf(table),
    /** The keys of free rows that are due, the longest due first, in turns where the table says so. */
    due: statement<{ readonly now: Date; readonly limit: number }, { readonly key: number }>(
      `${name}: due`,
      `select key from (
         select work.${key} as key, work.${due} as due, ${turn} as turn from ${name} work
          where ${open} and work.${due} <= :now and ${isFree(table)}) due
        order by turn, due, key limit :limit`,
    ),
  };
}
