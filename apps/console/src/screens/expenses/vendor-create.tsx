import { isCounterfoilError } from '@counterfoil/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button, Form } from 'react-aria-components';
import { useTexts } from '../../app/locale.tsx';
import { useAccount } from '../../app/session.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { Choice, TextInput } from '../../parts/fields.tsx';
import { useSendOnce } from '../../parts/send-once.ts';
import { useToasts } from '../../parts/toasts.tsx';
import type { NamedVendor } from './draft.ts';
import { EXPENSE_FORM } from './form-texts.ts';

const TYPES = ['COMPANY', 'MURSHE', 'PATOOR'] as const;

interface VendorCreateProps {
  /** As on the receipt. */
  readonly name: string;
  readonly taxId: string;
  readonly onCreated: (vendor: NamedVendor) => void;
  readonly onCancel: () => void;
}

/** Creates a vendor where it is needed, with what the receipt says about it. */
export function VendorCreate({ name: firstName, taxId: firstTaxId, onCreated, onCancel }: VendorCreateProps) {
  const t = useTexts(EXPENSE_FORM);
  const { client } = useAccount();
  const [queries, toasts, send] = [useQueryClient(), useToasts(), useSendOnce()];
  const [name, setName] = useState(firstName);
  const [taxId, setTaxId] = useState(firstTaxId);
  const [type, setType] = useState<(typeof TYPES)[number]>('COMPANY');
  const [wasSent, setSent] = useState(false);
  const creating = useMutation({
    mutationFn: async (): Promise<NamedVendor> => {
      const vendor = { name: name.trim(), taxId: taxId.trim(), type };
      const { vendorId } = await send(vendor, (options) => client.vendors.create(vendor, options));
      return { id: vendorId, name: vendor.name };
    },
    onSuccess: (vendor) => {
      toasts.say(t('vendorCreated', { name: vendor.name }));
      onCreated(vendor);
      return queries.invalidateQueries({ queryKey: ['vendors'] });
    },
  });
  const fields = isCounterfoilError(creating.error) ? creating.error.fields : [];
  const errorOf = (field: string, value: string) =>
    wasSent && value.trim() === '' ? t('required') : fields.find((one) => one.field === field)?.problem;
  const isShown = fields.length > 0 && fields.every(({ field }) => ['name', 'taxId'].includes(field));
  return (
    <Form
      className="vendor-create"
      aria-label={t('newVendor')}
      onSubmit={(event) => {
        event.preventDefault();
        setSent(true);
        if (name.trim() !== '' && taxId.trim() !== '') creating.mutate();
      }}
    >
      <h2>{t('newVendor')}</h2>
      <TextInput
        label={t('vendorName')}
        value={name}
        onChange={setName}
        problem={errorOf('name', name)}
        isRequired
      />
      <div className="pair">
        <TextInput
          label={t('taxId')}
          value={taxId}
          onChange={setTaxId}
          problem={errorOf('taxId', taxId)}
          kind="code"
          isRequired
        />
        <Choice
          label={t('vendorType')}
          value={type}
          onChange={setType}
          options={TYPES.map((one) => ({ value: one, text: t(one) }))}
        />
      </div>
      {creating.error && !isShown && <ErrorNotice error={creating.error} />}
      <div className="actions">
        <Button type="submit" className="button primary" isDisabled={creating.isPending}>
          {creating.isPending ? t('saving') : t('createVendor')}
        </Button>
        <Button className="button" onPress={onCancel}>
          {t('cancel')}
        </Button>
      </div>
    </Form>
  );
}
