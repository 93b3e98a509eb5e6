import type { Extraction } from '@counterfoil/sdk';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { useTexts } from '../../app/locale.tsx';
import { CertaintyMark } from './certainty-mark.tsx';
import type { NamedVendor } from './draft.ts';
import type { FieldsProps } from './expense-fields.tsx';
import { EXPENSE_FORM } from './form-texts.ts';
import { hasWrongCheckDigit } from './places.ts';
import { VendorCreate } from './vendor-create.tsx';
import { VendorPicker } from './vendor-picker.tsx';

/** The vendor: as the receipt names it, as the books have it, or a new one. */
export function VendorSection({ draft, reading, set, errorOf, onActive }: FieldsProps) {
  const t = useTexts(EXPENSE_FORM);
  const [isCreating, setCreating] = useState(false);
  return (
    <section>
      {reading && <ReadVendor reading={reading} chosen={draft.vendor} />}
      <VendorPicker
        value={draft.vendor}
        onChange={(vendor) => set({ vendor })}
        error={errorOf('vendor')}
        isRequired
        onFocus={onActive('vendorName')}
      />
      {isCreating ? (
        <VendorCreate
          reading={reading}
          onCancel={() => setCreating(false)}
          onCreated={(vendor) => {
            set({ vendor });
            setCreating(false);
          }}
        />
      ) : (
        <Button className="button small" onPress={() => setCreating(true)}>
          {t('newVendor')}
        </Button>
      )}
    </section>
  );
}

interface ReadVendorProps {
  readonly reading: Extraction;
  readonly chosen: NamedVendor | null;
}

/** The sender of the receipt, and whether the chosen vendor is the one that the service suggests. */
function ReadVendor({ reading, chosen }: ReadVendorProps) {
  const t = useTexts(EXPENSE_FORM);
  const { vendorName, vendorTaxId } = reading.expenseData;
  if (vendorName === undefined && vendorTaxId === undefined)
    return <p className="quiet-text">{t('noVendorRead')}</p>;
  return (
    <dl className="facts read-vendor">
      <dt>{t('onReceipt')}</dt>
      <dd>
        <bdi className="strong">{vendorName ?? '—'}</bdi>
        {vendorName !== undefined && <CertaintyMark reading={reading} field="vendorName" />}
      </dd>
      {vendorTaxId !== undefined && (
        <>
          <dt>{t('taxId')}</dt>
          <dd>
            <bdi>{vendorTaxId}</bdi> <CertaintyMark reading={reading} field="vendorTaxId" />
            {hasWrongCheckDigit(reading) && <p>{t('wrongCheckDigit')}</p>}
          </dd>
        </>
      )}
      <dt>{t('suggestion')}</dt>
      <dd>{t(suggestionOf(reading, chosen))}</dd>
    </dl>
  );
}

function suggestionOf({ suggestedVendorId }: Extraction, chosen: NamedVendor | null) {
  if (suggestedVendorId === undefined) return 'notSuggested';
  return chosen?.id === suggestedVendorId ? 'suggested' : 'otherChosen';
}
