import { inBatches, Sql } from '@counterfoil/database';
import { AppendOnlyListReader, ListSql, readPage } from '@counterfoil/lists';
import type { Page, PageRequest } from '@counterfoil/pagination';
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
import { MOVEMENTS, MOVEMENTS_OF_A_RECORD } from './movement.list';
import { STOCK_RECORDS } from './stock-record.list';
import { NEXT_WAREHOUSES } from './stock.sql';

const BY_ID = { by: 'id', descending: false } as const;
const BATCH = 1_000;

@Injectable()
export class PostgresInventoryReader extends InventoryReader {
  private readonly movementList: AppendOnlyListReader<MovementFilter, MovementSort['by'], MovementRow>;

  constructor(private readonly sql: Sql) {
    super();
    this.movementList = new AppendOnlyListReader(sql, { table: 'stock_movements', alias: 'm' });
  }

  override warehouses(companyId: number): AsyncGenerator<readonly Warehouse[]> {
    return inBatches(BATCH, (last: Warehouse | undefined) =>
      this.sql.rows(NEXT_WAREHOUSES, { companyId, after: last?.id ?? 0, limit: BATCH }),
    );
  }

  override listRecords(
    companyId: number,
    filter: StockFilter,
    page: PageRequest,
  ): Promise<Page<StockRecord>> {
    return readPage(this.sql, new ListSql(STOCK_RECORDS, companyId, { filter, sort: BY_ID }), page);
  }

  override listMovements(
    companyId: number,
    filter: MovementFilter,
    sort: MovementSort,
    page: PageRequest,
  ): Promise<Page<MovementRow>> {
    const list = filter.inventoryId === undefined ? MOVEMENTS : MOVEMENTS_OF_A_RECORD;
    return this.movementList.page(new ListSql(list, companyId, { filter, sort }), page);
  }
}
