import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { useFormats, useTexts } from '../../../app/locale.tsx';
import { useAccount } from '../../../app/session.tsx';
import { ApiCall } from '../../../parts/api-call.tsx';
import { ErrorNotice } from '../../../parts/error-notice.tsx';
import { Loading } from '../../../parts/loading.tsx';
import { EmptyState, PageFrame } from '../../../parts/page.tsx';
import { useParam } from '../../../parts/params.ts';
import { isLow } from '../effect.ts';
import { useProducts, useWarehouses } from '../names.ts';
import type { StockRecord } from '../records.tsx';
import { STOCK } from '../texts.ts';
import { Move } from './move.tsx';
import { Movements } from './movements.tsx';
import { Threshold } from './threshold.tsx';

/** The stock of one product in one warehouse, with its movements. */
export function Page() {
  const t = useTexts(STOCK);
  const { client, may } = useAccount();
  const [product, warehouse] = [useParam('product'), useParam('warehouse')];
  const [opened, setOpened] = useState<'move' | 'threshold' | null>(null);
  const [productId, warehouseId] = [Number(product), Number(warehouse)];
  const products = useProducts([productId]);
  const { nameOf } = useWarehouses();
  const all = useQuery({
    queryKey: ['stock', 'of-product', productId],
    queryFn: async () => (await client.stock.list({ productId, limit: 200 })).data,
  });
  const record = all.data?.find((one) => one.warehouseId === warehouseId);
  const actions = (
    <>
      <ApiCall
        request={`GET /inventory?productId=${product}&warehouseId=${warehouse}`}
        sdk={`await counterfoil.stock.list({ productId: ${product}, warehouseId: ${warehouse} });`}
      />
      {record && may('write') && (
        <>
          <Button className="button" onPress={() => setOpened('threshold')}>
            {t('edit')}
          </Button>
          <Button className="button primary" onPress={() => setOpened('move')}>
            {t('move')}
          </Button>
        </>
      )}
    </>
  );
  return (
    <PageFrame title={products.nameOf(productId)} text={nameOf(warehouseId)} actions={actions}>
      {all.error && <ErrorNotice error={all.error} retry={() => void all.refetch()} />}
      {all.isPending && <Loading />}
      {all.data && !record && (
        <EmptyState title={t('unknown')}>
          <p>
            <Link to="/stock">{t('back')}</Link>
          </p>
        </EmptyState>
      )}
      {record && all.data && (
        <Parts {...{ record, opened }} siblings={all.data} onClose={() => setOpened(null)} />
      )}
    </PageFrame>
  );
}

interface PartsProps {
  readonly record: StockRecord;
  readonly siblings: readonly StockRecord[];
  readonly opened: 'move' | 'threshold' | null;
  readonly onClose: () => void;
}

function Parts({ record, siblings, opened, onClose }: PartsProps) {
  const { unitOf } = useProducts([record.productId]);
  return (
    <div className="stack">
      <Levels record={record} unit={unitOf(record.productId)} />
      <Movements record={record} siblings={siblings} />
      {opened === 'move' && <Move record={record} siblings={siblings} onClose={onClose} />}
      {opened === 'threshold' && <Threshold record={record} onClose={onClose} />}
    </div>
  );
}

interface LevelsProps {
  readonly record: StockRecord;
  readonly unit: string | null;
}

function Levels({ record, unit }: LevelsProps) {
  const t = useTexts(STOCK);
  const { number } = useFormats();
  const { quantity, reservedQuantity, availableQuantity, lowStockThreshold } = record;
  const low = isLow(record);
  const tile = (name: string, value: string, isUrgent = false) => (
    <li className={isUrgent ? 'tile urgent' : 'tile'}>
      <h2>{name}</h2>
      <p className="count">{value}</p>
      <p className="state">{isUrgent ? t('isLow') : <bdi className="quiet-text">{unit}</bdi>}</p>
    </li>
  );
  return (
    <ul className="tiles levels">
      {tile(t('available'), number(availableQuantity), low)}
      {tile(t('quantity'), number(quantity))}
      {tile(t('reserved'), number(reservedQuantity))}
      {tile(t('threshold'), lowStockThreshold === null ? t('never') : number(lowStockThreshold))}
    </ul>
  );
}
