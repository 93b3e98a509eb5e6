import { buildIndex, Migration, type QueryRunner } from '@counterfoil/database';

/**
 * Indexes the stock records with a threshold. The quantities are not part of it: a movement would then have to update
 * the index, and could not be a HOT update.
 */
export class WatchedStock1795790851000 extends Migration {
  override readonly name = 'WatchedStock1795790851000';
  readonly transaction = false;

  override async up(runner: QueryRunner): Promise<void> {
    const definition = 'on stock_records (company_id, id) where low_stock_threshold is not null';
    await buildIndex(runner, 'stock_records_watched', definition);
  }
}
