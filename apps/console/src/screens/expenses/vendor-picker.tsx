import type { ReactNode } from 'react';
import { useTexts } from '../../app/locale.tsx';
import { useAccount } from '../../app/session.tsx';
import type { Pick } from '../../parts/pick.ts';
import { Picker } from '../../parts/picker.tsx';
import type { NamedVendor } from './draft.ts';
import { EXPENSE_FORM } from './form-texts.ts';

const SHOWN = 20;

interface VendorPickerProps {
  readonly value: NamedVendor | null;
  readonly onChange: (vendor: NamedVendor | null) => void;
  readonly isRequired?: boolean;
  readonly error?: ReactNode;
  readonly onFocus?: () => void;
}

/** Finds a vendor by a part of its name, tax id or e-mail. */
export function VendorPicker({ value, onChange, isRequired = false, error, onFocus }: VendorPickerProps) {
  const t = useTexts(EXPENSE_FORM);
  const { client } = useAccount();
  const find = async (text: string): Promise<readonly Pick[]> => {
    const { data } = await client.vendors.list({
      ...{ limit: SHOWN, sortBy: 'name' },
      ...(text !== '' && { search: text }),
    });
    return data.map(({ id, name, taxId }) => ({ id, name, ...(taxId !== null && { detail: taxId }) }));
  };
  return (
    <Picker
      label={t('vendor')}
      kind="vendors"
      chosen={value}
      onChoose={(vendor) => onChange(vendor && { id: vendor.id, name: vendor.name })}
      find={find}
      placeholder={t('searchVendors')}
      none={t('noVendors')}
      isRequired={isRequired}
      problem={error}
      {...(onFocus && { onFocus })}
    />
  );
}
