import type { RowOf } from '@counterfoil/sdk';
import { Link } from '@tanstack/react-router';
import { useFormats, useTexts } from '../../app/locale.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { isLow } from './effect.ts';
import { useProducts, useWarehouses } from './names.ts';
import { STOCK } from './texts.ts';

export type StockRecord = RowOf<'GET /inventory'>;

/** The columns of stock records, for those that are low and for all. */
export function useRecordColumns(records: readonly StockRecord[]): readonly Column<StockRecord>[] {
  const t = useTexts(STOCK);
  const { number } = useFormats();
  const warehouses = useWarehouses();
  const products = useProducts(records.map(({ productId }) => productId));
  return [
    {
      ...{ id: 'product', title: t('product') },
      cell: ({ productId, warehouseId }) => (
        <>
          <Link
            to="/stock/$product/$warehouse"
            params={{ product: String(productId), warehouse: String(warehouseId) }}
            className="strong"
          >
            <bdi className="clip">{products.nameOf(productId)}</bdi>
          </Link>{' '}
          <bdi className="quiet-text clip">{products.detailOf(productId)}</bdi>
        </>
      ),
    },
    {
      ...{ id: 'warehouse', title: t('warehouse') },
      cell: ({ warehouseId }) => <bdi className="clip">{warehouses.nameOf(warehouseId)}</bdi>,
    },
    {
      ...{ id: 'quantity', title: t('quantity'), isNumber: true },
      cell: ({ quantity }) => number(quantity),
    },
    {
      ...{ id: 'reserved', title: t('reserved'), isNumber: true },
      cell: ({ reservedQuantity }) => number(reservedQuantity),
    },
    {
      ...{ id: 'available', title: t('available'), isNumber: true },
      cell: (record) => (
        <>
          {isLow(record) && <span className="state warn">{t('isLow')}</span>}{' '}
          <span className="strong">{number(record.availableQuantity)}</span>
        </>
      ),
    },
    {
      ...{ id: 'threshold', title: t('threshold'), isNumber: true },
      cell: ({ lowStockThreshold }) => (lowStockThreshold === null ? t('never') : number(lowStockThreshold)),
    },
  ];
}
