import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTexts } from '../../../app/locale.tsx';
import { useAccount } from '../../../app/session.tsx';
import { TextInput } from '../../../parts/fields.tsx';
import { FormDialog } from '../../../parts/form-dialog.tsx';
import { useToasts } from '../../../parts/toasts.tsx';
import type { StockRecord } from '../records.tsx';
import { STOCK } from '../texts.ts';

interface ThresholdProps {
  readonly record: StockRecord;
  readonly onClose: () => void;
}

export function Threshold({ record, onClose }: ThresholdProps) {
  const t = useTexts(STOCK);
  const { client } = useAccount();
  const queries = useQueryClient();
  const toasts = useToasts();
  const [typed, setTyped] = useState(String(record.lowStockThreshold ?? ''));
  const threshold = typed.trim();
  const { id } = record;
  const body = { lowStockThreshold: threshold === '' ? null : Number(threshold) };
  const save = async () => {
    await client.stock.edit(id, body);
    toasts.say(t('thresholdSaved'));
    void queries.invalidateQueries({ queryKey: ['stock'] });
  };
  return (
    <FormDialog
      title={t('edit')}
      label={t('save')}
      size="narrow"
      onClose={onClose}
      onSubmit={save}
      call={() => ({ request: `PUT /inventory/edit/${id}`, sdk: 'stock.edit', ids: [id], body })}
      isDisabled={threshold !== '' && !/^\d+(\.\d{1,4})?$/.test(threshold)}
    >
      <TextInput
        label={t('threshold')}
        kind="number"
        value={typed}
        onChange={setTyped}
        help={t('thresholdHelp')}
      />
    </FormDialog>
  );
}
