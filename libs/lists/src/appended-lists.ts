import { EPOCH, type Sql } from '@counterfoil/database';
import { sharedByCallers } from '@counterfoil/kernel';
import { type Page, pageOf, type PageRequest } from '@counterfoil/pagination';
import { KnownLists } from './known-lists';
import { ListSql, matchingSql } from './list-sql';

/**
 * A search that finds no more than this is looked up and then sorted. One that finds more has its rows in every part of
 * the list, so that the list is read in its order until there are enough of them.
 */
const LOOKED_UP_MAX = 10_000;

/** A table whose rows are only ever added. Each has the `transaction_id` that wrote it, and an index by company and that. */
interface AppendedTable {
  readonly table: string;
  readonly alias: string;
}

/** How many rows a filter finds up to one that was written before every transaction that was under way: they are final. */
interface Settled {
  readonly settled: number;
  /** The id of the transaction that wrote it, as PostgreSQL's xid8. */
  readonly upTo: string;
  /** Of which the ids are: they mean something to the table and to the run of the server alone that they come from. */
  readonly history: string;
}

type CountedRow<Row> = Row & Settled & { readonly id: unknown; readonly total: number };

/**
 * Reads pages of a company's rows in a table whose rows are only ever added: the settled ones are counted once, and those
 * that came since by the statement that reads the page.
 */
export class AppendedLists<Filter extends object, By extends string, Row> {
  private readonly known = new KnownLists<Settled>();
  private readonly nowSql: string;
  /** The column, of the alias that the list gives to its table. */
  private readonly transaction: string;

  constructor(
    private readonly sql: Sql,
    { table, alias }: AppendedTable,
  ) {
    this.nowSql = nowSql(table);
    this.transaction = `${alias}.transaction_id`;
  }

  async page(list: ListSql<Filter, By>, page: PageRequest): Promise<Page<Row>> {
    const { definition, scope, query } = list;
    const name = JSON.stringify([definition.name, scope, query.filter]);
    const count = () => sharedByCallers(() => this.count(list));
    const known = await this.known.of(name, count);
    let rows = await this.rows(list, known, page);
    if (rows[0]?.history !== known.history)
      rows = await this.rows(list, await this.known.learn(name, count()), page);
    const [first] = rows;
    if (!first) throw new Error('the statement answers one row at least');
    const { settled, upTo, history, total } = first;
    await this.known.learn(name, Promise.resolve({ settled, upTo, history }));
    return pageOf(first.id === null ? [] : rows.map(plainRow<Row>), total, page);
  }

  private rows(list: ListSql<Filter, By>, known: Settled, page: PageRequest) {
    const { definition, scope, query } = list;
    const asked = known.settled > LOOKED_UP_MAX ? new ListSql(definition, scope, query, false) : list;
    const counted = (parameters: unknown[]) => this.sinceSql(list, known, parameters);
    return this.sql.rows<CountedRow<Row>>(...asked.page(page, counted));
  }

  /** All that there are, but for those that are not settled. */
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
    if (!counted) throw new Error('the statement answers one row');
    return counted;
  }

  /** The rows since the known count, counted in one row. */
  private sinceSql(
    { definition, query }: ListSql<Filter, By>,
    known: Settled,
    parameters: unknown[],
  ): string {
    const { from, where } = matchingSql(definition, parameters, query.filter, false);
    const settled = `$${parameters.push(known.settled)}::bigint`;
    const upTo = `$${parameters.push(known.upTo)}::xid8`;
    return `
      select ${settled} + since.all as total, ${settled} + since.settled as settled, now.*
        from (${this.nowSql}) now
       cross join lateral (
         select count(*) as all, count(*) filter (where ${this.transaction} <= now."upTo"::xid8) as settled
           from ${from} where ${where} and ${this.transaction} > ${upTo}) since`;
  }
}

/**
 * The transaction of the newest of a company's rows that was written before every transaction that is under way. That of
 * a row, not the bare id of a transaction: the server may give those again that it had given before a crash, but none up
 * to one that it has committed. Another table, one that was restored say, or another server has another history.
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
