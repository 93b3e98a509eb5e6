import { useEffect, useState } from 'react';
import { Button, Checkbox } from 'react-aria-components';
import { useTexts } from '../../app/locale.tsx';
import { useDebounced } from '../../parts/debounced.ts';
import { TextInput } from '../../parts/fields.tsx';
import { useListQuery } from '../../parts/list-query.ts';
import { EXPENSES } from './texts.ts';
import { VendorPicker } from './vendor-picker.tsx';

const NAMES = ['search', 'startDate', 'endDate', 'vendorId'] as const;

type Search = Readonly<Record<string, unknown>>;

/** Whether the list is narrowed. Supplier invoices widen it. */
export const hasFilters = (search: Search): boolean => NAMES.some((name) => search[name] !== undefined);

/** The filters of the API. They are kept in the address. */
export function Filters({ vendorName }: { readonly vendorName: string | undefined }) {
  const t = useTexts(EXPENSES);
  const { search, change } = useListQuery();
  const vendorId = search['vendorId'] === undefined ? null : Number(search['vendorId']);
  const withInvoices = search['include'] === 'all';
  const [chosenName, setChosenName] = useState<string>();
  const set = (part: Record<string, string | number | undefined>) => change({ ...part, offset: undefined });
  return (
    <search className="filters">
      <SearchText />
      <TextInput
        label={t('from')}
        kind="date"
        value={String(search['startDate'] ?? '')}
        onChange={(startDate) => set({ startDate: startDate || undefined })}
      />
      <TextInput
        label={t('until')}
        kind="date"
        value={String(search['endDate'] ?? '')}
        onChange={(endDate) => set({ endDate: endDate || undefined })}
      />
      <VendorPicker
        value={
          vendorId === null
            ? null
            : { id: vendorId, name: vendorName ?? chosenName ?? t('anyVendor', { id: vendorId }) }
        }
        onChange={(vendor) => {
          setChosenName(vendor?.name);
          set({ vendorId: vendor?.id });
        }}
      />
      <Checkbox
        className="checkbox"
        isSelected={withInvoices}
        onChange={(isOn) =>
          set({ include: isOn ? 'all' : undefined, sortBy: undefined, sortOrder: undefined })
        }
      >
        <span className="check" aria-hidden="true" />
        {t('invoices')}
      </Checkbox>
      {hasFilters(search) && (
        <Button
          className="button quiet"
          onPress={() => set(Object.fromEntries(NAMES.map((name) => [name, undefined])))}
        >
          {t('clear')}
        </Button>
      )}
      <details className="explained">
        <summary>{t('whatAreInvoices')}</summary>
        <p>{t('invoicesText')}</p>
      </details>
    </search>
  );
}

function SearchText() {
  const t = useTexts(EXPENSES);
  const { search, change } = useListQuery();
  const inAddress = String(search['search'] ?? '');
  const [text, setText] = useState(inAddress);
  const settled = useDebounced(text);
  useEffect(() => setText(inAddress), [inAddress]);
  useEffect(() => {
    if (settled === text && settled !== inAddress)
      change({ search: settled || undefined, offset: undefined });
    // Only when somebody has stopped typing: the address alone changes nothing.
  }, [settled]);
  return (
    <TextInput label={t('search')} kind="search" value={text} onChange={setText} help={t('searchHint')} />
  );
}
