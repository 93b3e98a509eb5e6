import { LeasedWork } from './leased-work';
import { isFree, type Lease, type WorkTable } from './work-table';

/** Work that is tried again until it is done: failed tries are counted in the column `attempts`. */
export interface RetriedWorkTable extends WorkTable {
  /** The column that holds the time of the next try. */
  readonly due: string;
  /** The column whose values take turns in `due`, such as the company; without it, the order is that of the times. */
  readonly inTurnsOf?: string;
}

/** Leased work that is due at times of its own. The caller passes the time, from `Clock`, that due times are set by. */
export class RetriedWork extends LeasedWork<RetriedWorkTable> {
  /** Returns the payload, or null when the work is not due, leased, or done. */
  claimDue<Row extends object>(id: number, now: Date, leaseMs: number): Promise<Row | null> {
    const { key, due } = this.table;
    return this.claim({ where: `work.${key} = $3 and work.${due} <= $4`, values: [id, now] }, leaseMs);
  }

  /** Counts a failed try, sets the next one and ends the lease. Returns false when the lease has passed on. */
  postpone(lease: Lease, until: Date): Promise<boolean> {
    return this.end(lease, ['attempts = attempts + 1', `${this.table.due} = $3`], [until]);
  }

  /** The keys of free rows that are due, the longest due first, in turns where the table says so. */
  async due(now: Date, limit: number): Promise<number[]> {
    const { name, key, due, open, inTurnsOf } = this.table;
    const turn = inTurnsOf ? `row_number() over (partition by ${inTurnsOf} order by ${due}, ${key})` : '1';
    const rows = await this.sql.rows<{ key: number }>(
      `select key from (
         select work.${key} as key, work.${due} as due, ${turn} as turn from ${name} work
          where ${open} and work.${due} <= $1 and ${isFree(this.table)}) due
        order by turn, due, key limit $2`,
      [now, limit],
    );
    return rows.map((row) => row.key);
  }
}
