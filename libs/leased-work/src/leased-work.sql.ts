import { backlogOf, type SqlStatement, statement, type StatementOptions } from '@counterfoil/database';
import { fence, isFree, isLeased, type Lease, type NewLease, NOW, type WorkTable } from './work-table';

/** The rows from which a claim chooses, and their order. */
export interface Candidates {
  /** The name of the statement, unique for the table. Default: claim. */
  readonly what?: string;
  /** A CTE for the other conditions, such as a count of leased rows. */
  readonly cte?: string;
  readonly join?: string;
  readonly where: string;
  readonly orderBy?: string;
  /** An additional assignment of the claim. */
  readonly set?: string;
}

interface ClaimedNext {
  readonly what: string;
  readonly ctes: readonly string[];
  readonly next: string;
  readonly set?: string | undefined;
}

/**
 * Leases the first free candidate and returns its payload; returns no row if there is none. Skips locked
 * rows, so that concurrent claims take different rows and never wait.
 */
export function claimOf<Row extends object, Terms extends object = object>(
  table: WorkTable,
  { what = 'claim', cte, join = '', where, orderBy, set }: Candidates,
  options: StatementOptions<Row> = {},
): SqlStatement<NewLease & Terms, Row> {
  const { name, key, until, open } = table;
  const next = `
       select work.${key} as next_key from ${name} work ${join}
        where ${open} and ${isFree({ until })} and (${where})
        ${orderBy ? `order by ${orderBy}` : ''} limit 1 for update of work skip locked`;
  return claim(table, { what, ctes: cte === undefined ? [] : [cte], next, set }, options);
}

/** @param next selects the `next_key` of the row to lease, and locks that row */
function claim<Row extends object, Terms extends object>(
  { name, key, token, until, payload }: WorkTable,
  { what, ctes, next, set }: ClaimedNext,
  options: StatementOptions<Row>,
): SqlStatement<NewLease & Terms, Row> {
  return statement(
    `${name}: ${what}`,
    `with ${[...ctes, `next as (${next})`].join(', ')}
     update ${name} work set ${token} = :newToken, ${until} = ${NOW} + :lease::interval${set ? `, ${set}` : ''}
       from next where work.${key} = next_key
     returning ${payload}`,
    options,
  );
}

/**
 * Extends leases, also expired ones that no other worker has claimed. Returns the tokens that still hold
 * their lease. Names the time of the lease, so that an index of the leased rows serves it.
 *
 * @param isWanted a condition for work that a caller still waits for
 */
export function renewalOf({ name, token, until, open }: WorkTable, isWanted = 'true') {
  return statement<
    { readonly tokens: readonly string[]; readonly lease: string },
    { readonly token: string; readonly isWanted: boolean }
  >(
    `${name}: renew`,
    `update ${name} work set ${until} = ${NOW} + :lease::interval
      where work.${token} = any (:tokens::uuid[]) and ${open} and work.${until} is not null
     returning work.${token} as token, ${isWanted} as "isWanted"`,
    { present: ['token'] },
  );
}

/**
 * Ends the lease and applies the assignments. Changes nothing if another worker has the lease or the work is
 * done.
 *
 * @param what the name of the statement, unique for the table
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

/** Deletes the row. Changes nothing if another worker has the lease or the work is done. */
export function removalOf(table: WorkTable) {
  return statement<Lease>(`${table.name}: remove`, `delete from ${table.name} work where ${fence(table)}`);
}

/** Work that is retried until it is done. The column `attempts` counts failed attempts. */
export interface RetriedWorkTable extends WorkTable {
  /** The column with the time of the next attempt. */
  readonly due: string;
  /**
   * The column, such as the company, whose values are served in turn (round robin). Without it, rows are
   * served in the order of `due`.
   */
  readonly inTurnsOf?: string;
}

/**
 * Builds the statements of work with individual due times. Callers pass the current time from `Clock`, which
 * also sets the due times.
 *
 * @param where a further condition of rows that are due
 */
export function retriedWork<Row extends object>(
  table: RetriedWorkTable,
  options: StatementOptions<Row> = {},
  where = 'true',
) {
  const { name, key, due, open, inTurnsOf } = table;
  const turn = inTurnsOf ? `row_number() over (partition by ${inTurnsOf} order by ${due}, ${key})` : '1';
  return {
    /** Returns no row if the work is not due, leased or done. */
    claim: claimOf<Row, { readonly id: number; readonly now: Date }>(
      table,
      { where: `work.${key} = :id and work.${due} <= :now and ${where}` },
      options,
    ),
    /** Counts a failed attempt, sets the time of the next one and ends the lease. */
    postpone: endOf<{ readonly dueAt: Date }>(table, 'postpone', [
      'attempts = attempts + 1',
      `${due} = :dueAt`,
    ]),
    remove: removalOf(table),
    backlog: backlogOf<{ readonly now: Date }>({
      table: name,
      where: `${open} and work.${due} <= :now and ${where}`,
      due: `work.${due}`,
    }),
    /** Finds free rows that are due, the earliest first, in turns if the table has `inTurnsOf`. */
    due: statement<{ readonly now: Date; readonly limit: number }, { readonly key: number }>(
      `${name}: due`,
      `select key from (
         select work.${key} as key, work.${due} as due, ${turn} as turn from ${name} work
          where ${open} and work.${due} <= :now and ${where} and ${isFree(table)}) due
        order by turn, due, key limit :limit`,
    ),
  };
}

/** The most that one claim looks at, so that its time does not grow with the rows that are due. */
const OWNERS_MAX = 16;
const ROWS_OF_OWNER_MAX = 64;

/**
 * Claims the next row that is due, the earliest of the company (or other value of `inTurnsOf`) with the fewest
 * leased rows. A company's many rows thus delay nobody else's, in whatever order the jobs come.
 *
 * Needs an index of the open rows on `inTurnsOf`, `due` and `key`: it goes from one company to the next, and reads the
 * first rows of each. Rows that concurrent claims take at the same time are skipped, so there are several of each.
 *
 * @param isServed the condition of a company whose rows may be claimed
 */
export function nextInTurns<Row extends object>(
  table: RetriedWorkTable & { readonly inTurnsOf: string },
  options: StatementOptions<Row> = {},
  isServed: (owner: string) => string = () => 'true',
): SqlStatement<NewLease & { readonly now: Date }, Row> {
  const { name, key, until, due, open, inTurnsOf } = table;
  const firstOf = (owner: string, most: number) => `(
        select work.${key} as key, work.${due} as due from ${name} work
         where ${open} and work.${inTurnsOf} = ${owner} and work.${due} <= :now and ${isFree(table)}
         order by work.${due}, work.${key} limit ${most})`;
  const owners = `recursive owners (owner) as (
        (select work.${inTurnsOf} from ${name} work where ${open} order by work.${inTurnsOf} limit 1)
        union all
        select (select work.${inTurnsOf} from ${name} work where ${open} and work.${inTurnsOf} > owners.owner
                 order by work.${inTurnsOf} limit 1)
          from owners where owners.owner is not null
      )`;
  const leased = `leased as materialized (
        select work.${inTurnsOf} as owner, count(*) as number from ${name} work
         where ${open} and work.${until} is not null and ${isLeased(table)} group by work.${inTurnsOf}
      )`;
  const turns = `turns as materialized (
        select owners.owner, coalesce(leased.number, 0) as held
          from owners left join leased on leased.owner = owners.owner
         cross join lateral ${firstOf('owners.owner', 1)} first
         where ${isServed('owners.owner')}
         order by held, first.due, first.key limit ${OWNERS_MAX}
      )`;
  const candidates = `candidates as materialized (
        select candidate.key, candidate.due, turns.held
          from turns cross join lateral ${firstOf('turns.owner', ROWS_OF_OWNER_MAX)} candidate
      )`;
  // Looks each candidate up by its key, and locks no more than it takes. A plain join might read all rows that are due.
  const next = `
       select locked.key as next_key
         from (select * from candidates order by held, due, key) candidate
        cross join lateral (
          select work.${key} as key from ${name} work
           where work.${key} = candidate.key and ${open} and work.${due} <= :now and ${isFree(table)}
             for update skip locked) locked
        order by candidate.held, candidate.due, candidate.key limit 1`;
  return claim(table, { what: 'claim next', ctes: [owners, leased, turns, candidates], next }, options);
}
