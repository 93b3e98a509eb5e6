import { ProductDirectory } from '@counterfoil/catalog';
import { Idempotency, type IdempotentCall } from '@counterfoil/idempotency';
import { type Caller, Clock, unknownReference } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import type { StockPlace, StockRecord } from '../domain/stock-record';
import { StockRepository } from './ports/stock.repository';
import { WarehouseRepository } from './ports/warehouse.repository';

export type NewStockRecord = StockPlace & Pick<StockRecord, 'lowStockThreshold'>;

export interface EnsuredStockRecord {
  readonly id: number;
  readonly alreadyExists: boolean;
}

@Injectable()
export class CreateStockRecord {
  constructor(
    private readonly idempotency: Idempotency,
    private readonly stock: StockRepository,
    private readonly warehouses: WarehouseRepository,
    private readonly products: ProductDirectory,
    private readonly clock: Clock,
  ) {}

  /**
   * Ensures the stock record of a product in a warehouse. A new record is empty; an existing one is not
   * changed.
   *
   * @param call null when the call came without an idempotency key
   * @throws IdempotencyKeyTaken
   * @throws AppError `UNKNOWN_REFERENCE` when this company has no such product or warehouse
   */
  async execute(
    { companyId }: Caller,
    input: NewStockRecord,
    call: IdempotentCall<EnsuredStockRecord> | null = null,
  ): Promise<EnsuredStockRecord> {
    const unknown = await this.products.findUnknownIds(companyId, [input.productId]);
    if (unknown.size > 0) throw unknownReference('productId', 'product');
    const createdAt = this.clock.now();
    return this.idempotency.run(companyId, call, async (tx) => {
      if (!(await this.warehouses.has(tx, companyId, input.warehouseId))) {
        throw unknownReference('warehouseId', 'warehouse');
      }
      return this.stock.ensure(tx, companyId, { ...input, createdAt });
    });
  }
}
