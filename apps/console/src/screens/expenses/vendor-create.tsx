import { type Extraction, isCounterfoilError } from '@counterfoil/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button, Form } from 'react-aria-components';
import { useTexts } from '../../app/locale.tsx';
import { useAccount } from '../../app/session.tsx';
import { ErrorNotice, FieldProblem } from '../../parts/error-notice.tsx';
import { Choice, TextInput } from '../../parts/fields.tsx';
import { useSendOnce } from '../../parts/send-once.ts';
import { useToasts } from '../../parts/toasts.tsx';
import { CertaintyMark } from './certainty-mark.tsx';
import type { NamedVendor } from './draft.ts';
import { EXPENSE_FORM } from './form-texts.ts';
import { hasWrongCheckDigit } from './places.ts';

const TYPES = ['COMPANY', 'MURSHE', 'PATOOR'] as const;
type VendorType = (typeof TYPES)[number];

interface NewVendor {
  readonly name: string;
  readonly taxId: string;
  readonly type: VendorType;
}

interface VendorCreateProps {
  /** Of the receipt that names the vendor. */
  readonly reading: Extraction | undefined;
  readonly onCreated: (vendor: NamedVendor) => void;
  readonly onCancel: () => void;
}

/**
 * Creates a vendor where it is needed, with what the receipt says about it. A tax id that cannot be right is taken only
 * if the user keeps it.
 */
export function VendorCreate({ reading, onCreated, onCancel }: VendorCreateProps) {
  const t = useTexts(EXPENSE_FORM);
  const read = vendorOf(reading);
  const [name, setName] = useState(read.name);
  const [taxId, setTaxId] = useState(read.taxId);
  const [type, setType] = useState<VendorType>('COMPANY');
  const [wasSent, setSent] = useState(false);
  const creating = useCreating(onCreated);
  const fields = isCounterfoilError(creating.error) ? creating.error.fields : [];
  const errorOf = (field: string, value: string) => {
    if (wasSent && value.trim() === '') return t('required');
    const found = fields.find((one) => one.field === field);
    return found && <FieldProblem>{found.problem}</FieldProblem>;
  };
  const isShown = fields.length > 0 && fields.every(({ field }) => ['name', 'taxId'].includes(field));
  return (
    <Form
      className="vendor-create"
      aria-label={t('newVendor')}
      onSubmit={(event) => {
        event.preventDefault();
        setSent(true);
        const vendor = { name: name.trim(), taxId: taxId.trim(), type };
        if (vendor.name !== '' && vendor.taxId !== '') creating.mutate(vendor);
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
          mark={reading && read.hasTaxId && <CertaintyMark reading={reading} field="vendorTaxId" />}
        />
        <Choice
          label={t('vendorType')}
          value={type}
          onChange={setType}
          options={TYPES.map((one) => ({ value: one, text: t(one) }))}
        />
      </div>
      {read.doubted !== '' && (
        <DoubtedTaxId taxId={read.doubted} isKept={taxId === read.doubted} onKeep={setTaxId} />
      )}
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

/** The vendor as the form begins. A tax id that cannot be right is apart. */
function vendorOf(reading: Extraction | undefined) {
  const { vendorName: name = '', vendorTaxId: taxId = '' } = reading?.expenseData ?? {};
  const isDoubted = reading !== undefined && hasWrongCheckDigit(reading);
  return { name, hasTaxId: taxId !== '', taxId: isDoubted ? '' : taxId, doubted: isDoubted ? taxId : '' };
}

function useCreating(onCreated: (vendor: NamedVendor) => void) {
  const t = useTexts(EXPENSE_FORM);
  const { client } = useAccount();
  const [queries, toasts, send] = [useQueryClient(), useToasts(), useSendOnce()];
  return useMutation({
    mutationFn: async (vendor: NewVendor): Promise<NamedVendor> => {
      const { vendorId } = await send(vendor, (options) => client.vendors.create(vendor, options));
      return { id: vendorId, name: vendor.name };
    },
    onSuccess: (vendor) => {
      toasts.say(t('vendorCreated', { name: vendor.name }));
      onCreated(vendor);
      return queries.invalidateQueries({ queryKey: ['vendors'] });
    },
  });
}

interface DoubtedTaxIdProps {
  readonly taxId: string;
  readonly isKept: boolean;
  readonly onKeep: (taxId: string) => void;
}

function DoubtedTaxId({ taxId, isKept, onKeep }: DoubtedTaxIdProps) {
  const t = useTexts(EXPENSE_FORM);
  return (
    <p className="note">
      <bdi>{t('doubtedTaxId', { taxId })}</bdi> {t('wrongCheckDigit')}{' '}
      {!isKept && (
        <Button className="button small" onPress={() => onKeep(taxId)}>
          <bdi>{t('keepTaxId', { taxId })}</bdi>
        </Button>
      )}
    </p>
  );
}
