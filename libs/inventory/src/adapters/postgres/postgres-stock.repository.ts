import { managerOf, runPrepared, Sql } from '@counterfoil/database';
import { type Caller, FINE_MAX, type Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import {
  type Destination,
  type Moved,
  type NewMovement,
  StockRepository,
} from '../../application/ports/stock.repository';
import type { StockPlace, StockRecord } from '../../domain/stock-record';
import { MOVE, type MovedRow, stepTaken } from './stock-move';

const DESTINATION = {
  name: 'stock_destination',
  text: `select source.product_id as "productId", source.warehouse_id as "sourceWarehouseId", w.id as "warehouseId",
                target.id as "inventoryId"
           from stock_records source
           left join warehouses w on w.company_id = source.company_id and w.id = $3
           left join stock_records target on target.product_id = source.product_id and target.warehouse_id = w.id
          where source.company_id = $1 and source.id = $2`,
};

@Injectable()
export class PostgresStockRepository extends StockRepository {
  constructor(private readonly sql: Sql) {
    super();
  }

  override async ensure(
    tx: Transaction,
    companyId: number,
    {
      productId,
      warehouseId,
      lowStockThreshold,
      createdAt,
    }: StockPlace & Pick<StockRecord, 'lowStockThreshold'> & { readonly createdAt: Date },
  ): Promise<{ readonly id: number; readonly alreadyExists: boolean }> {
    const manager = managerOf(tx);
    const [made] = await manager.query<{ id: number }[]>(
      `insert into stock_records (company_id, product_id, warehouse_id, low_stock_threshold, moved_at, created_at)
       values ($1, $2, $3, $4, $5, $5) on conflict (product_id, warehouse_id) do nothing returning id`,
      [companyId, productId, warehouseId, lowStockThreshold, createdAt],
    );
    if (made) return { id: made.id, alreadyExists: false };
    // A statement of its own sees what another transaction has committed meanwhile.
    const [there] = await manager.query<{ id: number }[]>(
      'select id from stock_records where company_id = $1 and product_id = $2 and warehouse_id = $3',
      [companyId, productId, warehouseId],
    );
    if (!there) throw new Error('the stock record is neither made nor there');
    return { id: there.id, alreadyExists: true };
  }

  override async move(
    tx: Transaction,
    { companyId, userId }: Caller,
    { details, source, target, at }: NewMovement,
  ): Promise<Moved | null> {
    const { quantity, movementType, unitPrice, reason, referenceId, referenceType, notes } = details;
    const steps = target ? [source, target] : [source];
    const ids = steps.map(({ inventoryId }) => inventoryId);
    const signs = (of: 'quantity' | 'reserved') => steps.map(({ effect }) => effect[of]);
    const rows = await runPrepared<MovedRow>(tx, MOVE, [
      ...[companyId, ids, signs('quantity'), signs('reserved'), quantity, at, FINE_MAX, userId, movementType],
      ...[unitPrice, reason, referenceId, referenceType, notes],
    ]);
    const [atSource, atTarget] = rows.map((row) => ({ ...stepTaken(row), allowed: row.allowed }));
    if (!atSource || (target && !atTarget)) return null;
    if (!atSource.allowed) return { refused: source, before: atSource.before };
    if (target && atTarget && !atTarget.allowed) return { refused: target, before: atTarget.before };
    return { source: atSource, target: atTarget ?? null };
  }

  override async setThreshold(
    tx: Transaction,
    companyId: number,
    id: number,
    lowStockThreshold: number | null | undefined,
  ): Promise<boolean> {
    const [, found] = await managerOf(tx).query<[unknown, number]>(
      `update stock_records set low_stock_threshold = case when $4 then $3 else low_stock_threshold end
        where company_id = $1 and id = $2`,
      [companyId, id, lowStockThreshold ?? null, lowStockThreshold !== undefined],
    );
    return found > 0;
  }

  override async destinationOf(
    companyId: number,
    inventoryId: number,
    targetWarehouseId: number,
  ): Promise<Destination | null> {
    const [found] = await this.sql.prepared<Destination>(DESTINATION, [
      companyId,
      inventoryId,
      targetWarehouseId,
    ]);
    return found ?? null;
  }
}
