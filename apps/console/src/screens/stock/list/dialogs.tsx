import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTexts } from '../../../app/locale.tsx';
import { useAccount } from '../../../app/session.tsx';
import { Choice, TextInput } from '../../../parts/fields.tsx';
import { FormDialog } from '../../../parts/form-dialog.tsx';
import { useGoOn } from '../../../parts/is-here.ts';
import type { Pick } from '../../../parts/pick.ts';
import { Picker } from '../../../parts/picker.tsx';
import { useSendOnce } from '../../../parts/send-once.ts';
import { useToasts } from '../../../parts/toasts.tsx';
import { useWarehouses } from '../names.ts';
import { STOCK } from '../texts.ts';

const FOUND = 20;
const isNumber = (text: string) => /^\d+(\.\d{1,4})?$/.test(text.trim());

export function NewWarehouse({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(STOCK);
  const { client } = useAccount();
  const queries = useQueryClient();
  const toasts = useToasts();
  const send = useSendOnce();
  const [name, setName] = useState('');
  const body = { name: name.trim() };
  const create = async () => {
    await send(body, (options) => client.warehouses.create(body, options));
    toasts.say(t('warehouseCreated', body));
    void queries.invalidateQueries({ queryKey: ['warehouses'] });
  };
  return (
    <FormDialog
      title={t('addWarehouse')}
      label={t('create')}
      size="narrow"
      onClose={onClose}
      onSubmit={create}
      call={() => ({ request: 'POST /warehouses/create', sdk: 'warehouses.create', body })}
      isDisabled={name.trim() === ''}
    >
      <TextInput label={t('name')} value={name} onChange={setName} maxLength={200} />
    </FormDialog>
  );
}

export function NewRecord({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(STOCK);
  const { client } = useAccount();
  const goOn = useGoOn();
  const queries = useQueryClient();
  const toasts = useToasts();
  const send = useSendOnce();
  const { all } = useWarehouses();
  const [product, setProduct] = useState<Pick | null>(null);
  const [warehouse, setWarehouse] = useState(String(all[0]?.id ?? ''));
  const [threshold, setThreshold] = useState('');
  const productId = product?.id ?? 0;
  const body = {
    ...{ productId, warehouseId: Number(warehouse) },
    ...(threshold.trim() !== '' && { lowStockThreshold: Number(threshold) }),
  };
  const create = async () => {
    const answer = await send(body, (options) => client.stock.create(body, options));
    toasts.say(t('alreadyExists' in answer ? 'existed' : 'created'));
    void queries.invalidateQueries({ queryKey: ['stock'] });
    void goOn({
      to: '/stock/$product/$warehouse',
      params: { product: String(productId), warehouse },
    });
  };
  return (
    <FormDialog
      title={t('add')}
      label={t('create')}
      size="narrow"
      onClose={onClose}
      onSubmit={create}
      call={() => ({ request: 'POST /inventory/create', sdk: 'stock.create', body })}
      isDisabled={product === null || (threshold.trim() !== '' && !isNumber(threshold))}
    >
      <Choice
        label={t('warehouse')}
        value={warehouse}
        onChange={setWarehouse}
        options={all.map(({ id, name }) => ({ value: String(id), text: name.slice(0, 80) }))}
      />
      <Picker<Pick>
        label={t('product')}
        kind="products"
        chosen={product}
        onChoose={setProduct}
        find={async (text) =>
          (await client.products.list({ limit: FOUND, ...(text !== '' && { search: text }) })).data.map(
            ({ id, name, sku }) => ({ id, name, detail: sku }),
          )
        }
        help={t('findProduct')}
      />
      <TextInput
        label={t('threshold')}
        kind="number"
        value={threshold}
        onChange={setThreshold}
        help={t('thresholdHelp')}
      />
    </FormDialog>
  );
}
