import { randomUUID } from 'node:crypto';
import { managerOf, milliseconds, type Sql } from '@counterfoil/database';
import type { Transaction } from '@counterfoil/kernel';
import { fence, isFree, type Lease, NOW, type WorkTable } from './work-table';

/** The rows that a claim chooses from, and their order. Parameters are numbered from `$3`. */
export interface Candidates {
  /** A CTE for the other conditions, such as a count of leased rows. */
  readonly cte?: string;
  readonly join?: string;
  readonly where: string;
  readonly orderBy?: string;
  readonly values: readonly unknown[];
  /** An assignment that is made with the claim. */
  readonly set?: string;
}

/**
 * Claims and fenced writes on a table of work. Each is one statement. After a claim has ended, another worker may take
 * the row over, and writes under the old token change nothing.
 */
export class LeasedWork<Table extends WorkTable = WorkTable> {
  constructor(
    protected readonly sql: Sql,
    protected readonly table: Table,
  ) {}

  /**
   * Leases the first free candidate. Skips rows that another transaction has locked, so that claims made at once take
   * different rows and never wait.
   *
   * @returns the payload, or null when no candidate is free
   */
  async claim<Row extends object>(candidates: Candidates, leaseMs: number): Promise<Row | null> {
    const { name, key, token, until, open, payload } = this.table;
    const { cte, join = '', where, orderBy, values, set } = candidates;
    const [claimed] = await this.sql.rows<Row>(
      `with ${cte ? `${cte},` : ''} next as (
         select work.${key} as next_key from ${name} work ${join}
          where ${open} and ${isFree(this.table)} and (${where})
          ${orderBy ? `order by ${orderBy}` : ''} limit 1 for update of work skip locked)
       update ${name} work set ${token} = $1, ${until} = ${NOW} + $2::interval${set ? `, ${set}` : ''}
         from next where work.${key} = next_key
       returning ${payload}`,
      [randomUUID(), milliseconds(leaseMs), ...values],
    );
    return claimed ?? null;
  }

  /**
   * Extends leases. A lease that has ended is extended too, unless another worker has the row by then.
   *
   * @param isWanted a condition of rows whose work somebody still waits for
   * @returns the tokens that still hold their rows, where these are wanted
   */
  async renew(tokens: readonly string[], leaseMs: number, isWanted = 'true'): Promise<string[]> {
    const { name, token, until, open } = this.table;
    const held = await this.sql.rows<{ token: string; isWanted: boolean }>(
      `update ${name} work set ${until} = ${NOW} + $2::interval where work.${token} = any($1::uuid[]) and ${open}
       returning work.${token} as token, ${isWanted} as "isWanted"`,
      [tokens, milliseconds(leaseMs)],
    );
    return held.filter((row) => row.isWanted).map((row) => row.token);
  }

  /**
   * Ends the lease and makes the assignments in the same statement. Parameters are numbered from `$3`.
   *
   * @returns false, and nothing is changed, when the lease has passed on or the work is done
   */
  async end(
    { key, token }: Lease,
    set: readonly string[] = [],
    values: readonly unknown[] = [],
  ): Promise<boolean> {
    const { name, token: tokenColumn, until } = this.table;
    const ended = await this.sql.rows(
      `update ${name} work set ${[...set, `${tokenColumn} = null`, `${until} = null`].join(', ')}
        where ${fence(this.table)} returning 1`,
      [key, token, ...values],
    );
    return ended.length > 0;
  }

  /** Deletes the row. Returns false, and nothing is changed, when the lease has passed on or the work is done. */
  async remove(tx: Transaction, { key, token }: Lease): Promise<boolean> {
    const statement = `delete from ${this.table.name} work where ${fence(this.table)}`;
    const [, removed] = await managerOf(tx).query<[unknown, number]>(statement, [key, token]);
    return removed > 0;
  }
}
