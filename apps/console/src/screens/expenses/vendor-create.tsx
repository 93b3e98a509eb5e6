import { type Extraction, isCounterfoilError } from '@counterfoil/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
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
      <TaxIdFields
        {...{ reading, taxId, type }}
        problem={errorOf('taxId', taxId)}
        onTaxId={setTaxId}
        onType={setType}
      />
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

interface TaxIdFieldsProps extends Omit<NewVendor, 'name'> {
  readonly reading: Extraction | undefined;
  readonly problem: ReactNode;
  readonly onTaxId: (taxId: string) => void;
  readonly onType: (type: VendorType) => void;
}

/** The tax id with its kind, and the question whether to keep one that cannot be right. */
function TaxIdFields({ reading, taxId, type, problem, onTaxId, onType }: TaxIdFieldsProps) {
  const t = useTexts(EXPENSE_FORM);
  const { hasTaxId, doubted } = vendorOf(reading);
  const fields = useRef<HTMLDivElement>(null);
  const keep = () => {
    // The button that has the focus leaves the page.
    fields.current?.querySelector('input')?.focus();
    onTaxId(doubted);
  };
  return (
    <>
      <div className="pair" ref={fields}>
        <TextInput
          label={t('taxId')}
          value={taxId}
          onChange={onTaxId}
          problem={problem}
          kind="code"
          isRequired
          mark={reading && hasTaxId && <CertaintyMark reading={reading} field="vendorTaxId" />}
        />
        <Choice
          label={t('vendorType')}
          value={type}
          onChange={onType}
          options={TYPES.map((one) => ({ value: one, text: t(one) }))}
        />
      </div>
      {doubted !== '' && (
        <p className="note">
          <bdi>{t('doubtedTaxId', { taxId: doubted })}</bdi> {t('wrongCheckDigit')}{' '}
          {taxId !== doubted && (
            <Button className="button small" onPress={keep}>
              <bdi>{t('keepTaxId', { taxId: doubted })}</bdi>
            </Button>
          )}
        </p>
      )}
    </>
  );
}
