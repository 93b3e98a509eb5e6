import { Sql } from '@counterfoil/database';
import { ListSql, readPage } from '@counterfoil/lists';
import { type Page, pageOf, type PageRequest } from '@counterfoil/pagination';
import { Injectable } from '@nestjs/common';
import {
  InventoryReader,
  type MovementFilter,
  type MovementRow,
  type MovementSort,
  type StockFilter,
} from '../../application/ports/inventory.reader';
import type { StockRecord } from '../../domain/stock-record';
import type { Warehouse } from '../../domain/warehouse';
import { MovementListSql } from './movement-list-sql';
import { type SettledCount, SettledCounts } from './settled-counts';
import { STOCK_RECORDS } from './stock-record.list';

const BY_ID = { by: 'id', descending: false } as const;

/** A row, with what is counted beside it. Without any row on the page there is one of the counts alone. */
interface CountedRow extends MovementRow, Omit<SettledCount, 'rows'> {
  /** How many rows there are beyond those that were known to be settled. */
  readonly since: number;
  /** How many of those are settled now. */
  readonly settledSince: number;
}

interface Counted {
  readonly rows: readonly MovementRow[];
  readonly total: number;
  readonly settled: SettledCount;
}

@Injectable()
export class PostgresInventoryReader extends InventoryReader {
  private readonly counts = new SettledCounts();
  private readonly counting = new Map<string, Promise<SettledCount>>();

  constructor(private readonly sql: Sql) {
    super();
  }

  override warehouses(companyId: number): Promise<readonly Warehouse[]> {
    return this.sql.rows<Warehouse>(
      `select id, name, address_id as "addressId", created_at as "createdAt"
         from warehouses where company_id = $1 order by id`,
      [companyId],
    );
  }

  override records(companyId: number, filter: StockFilter, page: PageRequest): Promise<Page<StockRecord>> {
    return readPage(this.sql, new ListSql(STOCK_RECORDS, companyId, { filter, sort: BY_ID }), page);
  }

  override async movements(
    companyId: number,
    filter: MovementFilter,
    sort: MovementSort,
    page: PageRequest,
  ): Promise<Page<MovementRow>> {
    const list = new MovementListSql(companyId, filter);
    const read = async (known: SettledCount): Promise<Counted> =>
      countedRows(await this.sql.rows<CountedRow>(...list.page(known, sort, page)), known);
    const known = this.counts.of(list.name) ?? (await this.count(list));
    let counted = await read(known);
    if (counted.settled.history !== known.history) counted = await read(await this.count(list));
    this.counts.learn(list.name, counted.settled);
    return pageOf(counted.rows, counted.total, page);
  }

  /** Who asks for the same meanwhile waits for the same count. */
  private count(list: MovementListSql): Promise<SettledCount> {
    const underWay = this.counting.get(list.name);
    if (underWay) return underWay;
    const counting = this.countAnew(list).finally(() => this.counting.delete(list.name));
    this.counting.set(list.name, counting);
    return counting;
  }

  private async countAnew(list: MovementListSql): Promise<SettledCount> {
    const [now] = await this.sql.rows<Omit<SettledCount, 'rows'>>(...list.now());
    if (!now) throw new Error('the statement answers one row');
    const [settled] = await this.sql.rows<Pick<SettledCount, 'rows'>>(...list.settled(now.upTo));
    return { ...now, rows: settled?.rows ?? 0 };
  }
}

function countedRows(rows: readonly CountedRow[], known: SettledCount): Counted {
  const [first] = rows;
  if (!first) throw new Error('the statement answers one row at least');
  const { since, settledSince, upTo, history } = first;
  return {
    rows: first.id === null ? [] : rows.map(movementRow),
    total: known.rows + since,
    settled: { rows: known.rows + settledSince, upTo, history },
  };
}

function movementRow({ since: _, settledSince: _s, upTo: _u, history: _h, ...row }: CountedRow): MovementRow {
  return row;
}
