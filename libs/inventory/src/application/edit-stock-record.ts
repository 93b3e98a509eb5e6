import { AppError, type Caller, Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import type { StockRecord } from '../domain/stock-record';
import { StockRepository } from './ports/stock.repository';

/** Changes the settings of a stock record. Only movements change the stock itself. */
@Injectable()
export class EditStockRecord {
  constructor(
    private readonly transactions: Transactions,
    private readonly stock: StockRepository,
  ) {}

  /**
   * @param lowStockThreshold undefined leaves it as it is
   * @throws AppError `NOT_FOUND` when this company has no such record
   */
  execute(
    { companyId }: Caller,
    id: number,
    lowStockThreshold: StockRecord['lowStockThreshold'] | undefined,
  ): Promise<void> {
    return this.transactions.run(async (tx) => {
      const found = await this.stock.setThreshold(tx, companyId, id, lowStockThreshold);
      if (!found) throw new AppError('NOT_FOUND', 'this company has no stock record with this id');
    });
  }
}
