import { EPOCH, type Sql } from '@counterfoil/database';
import { sharedByCallers } from '@counterfoil/kernel';
import { type Page, pageOf, type PageRequest } from '@counterfoil/pagination';
import { cacheKeyOf, ListCache } from './list-cache';
import { ListSql } from './list-sql';
import { matchingSql } from './matching-sql';

/**
 * A search with at most this many matches is read from the search index and then sorted. A search with more
 * has matches all over the list, so it is faster to scan the list in its order until the page is full.
 */
const LOOKED_UP_MAX = 10_000;

/**
 * A table whose rows are only inserted. Each row has the `transaction_id` that wrote it, and an index covers
 * the company and that column.
 */
interface AppendOnlyTable {
  readonly table: string;
  readonly alias: string;
}

/**
 * The number of matching rows up to a row that is older than every open transaction: no more rows can appear
 * before it.
 */
interface Settled {
  readonly settled: number;
  /** The id of the transaction that wrote that row, as PostgreSQL's xid8. */
  readonly upTo: string;
  /**
   * The scope in which the transaction ids are comparable: one file of the table on one run of the server.
   */
  readonly history: string;
}

type CountedRow<Row> = Row & Settled & { readonly id: unknown; readonly total: number };

/**
 * Reads pages of a company's rows in a table whose rows are only inserted. It counts the settled rows once
 * and caches the count. The statement that reads a page counts the rows since.
 */
export class AppendOnlyListReader<Filter extends object, By extends string, Row> {
  private readonly known = new ListCache<Settled>();
  private readonly nowSql: string;
  /** The column `transaction_id`, with the table alias of the list. */
  private readonly transaction: string;

  constructor(
    private readonly sql: Sql,
    { table, alias }: AppendOnlyTable,
  ) {
    this.nowSql = nowSql(table);
    this.transaction = `${alias}.transaction_id`;
  }

  async page(list: ListSql<Filter, By>, page: PageRequest): Promise<Page<Row>> {
    const { definition, scope, query } = list;
    const cacheKey = cacheKeyOf(definition, scope, query.filter);
    const count = () => sharedByCallers(() => this.count(list));
    const known = await this.known.get(cacheKey, count);
    let rows = await this.rows(list, known, page);
    if (rows[0]?.history !== known.history)
      rows = await this.rows(list, await this.known.learn(cacheKey, count()), page);
    const [first] = rows;
    if (!first) throw new Error('the statement must return at least one row');
    const { settled, upTo, history, total } = first;
    await this.known.learn(cacheKey, Promise.resolve({ settled, upTo, history }));
    return pageOf(first.id === null ? [] : rows.map(plainRow<Row>), total, page);
  }

  private rows(list: ListSql<Filter, By>, known: Settled, page: PageRequest) {
    const { definition, scope, query } = list;
    const found = known.settled > LOOKED_UP_MAX ? new ListSql(definition, scope, query, false) : list;
    const counted = (parameters: unknown[], isPrepared: boolean) => {
      const [settled, upTo] = [parameters.push(known.settled), parameters.push(known.upTo)];
      // PostgreSQL would plan a prepared statement anew for each value that it sees.
      const since = isPrepared ? `(select $${upTo}::xid8)` : `$${upTo}::xid8`;
      return this.sinceSql(list, parameters, { settled: `$${settled}::bigint`, since });
    };
    return this.sql.rows<CountedRow<Row>>(...found.page(page, counted));
  }

  /** Counts all matching rows except those that are not settled. */
  private async count({ definition, scope, query }: ListSql<Filter, By>): Promise<Settled> {
    const parameters = [scope];
    const { from, where } = matchingSql(definition, parameters, query.filter);
    const compared = matchingSql(definition, parameters, query.filter, false);
    const [counted] = await this.sql.rows<Settled>(
      `select (select count(*) from ${from} where ${where})
              - (select count(*) from ${compared.from}
                  where ${compared.where} and ${this.transaction} > now."upTo"::xid8) as settled, now.*
         from (${this.nowSql}) now`,
      parameters,
    );
    if (!counted) throw new Error('the statement must return one row');
    return counted;
  }

  /** Selects the counts, including the rows since the cached count, as one row. */
  private sinceSql(
    { definition, query }: ListSql<Filter, By>,
    parameters: unknown[],
    { settled, since }: { readonly settled: string; readonly since: string },
  ): string {
    const { from, where } = matchingSql(definition, parameters, query.filter, false);
    return `
      select ${settled} + since.all as total, ${settled} + since.settled as settled, now.*
        from (${this.nowSql}) now
       cross join lateral (
         select count(*) as all, count(*) filter (where ${this.transaction} <= now."upTo"::xid8) as settled
           from ${from} where ${where} and ${this.transaction} > ${since}) since`;
  }
}

/**
 * Selects the transaction of the company's newest settled row, that is, a row older than every open
 * transaction. It is the transaction of a row, because after a crash the server may issue an id again unless
 * it is at most that of a committed row. The history changes with the table's file, for example after a
 * restore, and with each start of the server.
 */
function nowSql(table: string): string {
  const newest = `
    select transaction_id from ${table}
     where company_id = $1 and transaction_id < (select pg_snapshot_xmin(pg_current_snapshot()))
     order by company_id desc, transaction_id desc limit 1`;
  return `
    select coalesce((${newest}), '0')::text as "upTo",
           ${EPOCH} || ':' || pg_relation_filenode('${table}') || ':' || extract(epoch from pg_postmaster_start_time())
             as history`;
}

function plainRow<Row>({ total: _, settled: _s, upTo: _u, history: _h, ...row }: CountedRow<Row>): Row {
  return row as unknown as Row;
}
